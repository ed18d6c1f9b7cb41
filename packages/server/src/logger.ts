import pino, { type Logger } from 'pino'

export type { Logger }

/**
 * Creates a JSON logger. Callers never log values that may contain a key; the redaction is a second line of defense.
 */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: ['url', 'rpcUrls', '*.url', '*.authorization', '*.cookie', 'err.cause', 'err.config'],
      censor: '[redacted]',
    },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}
