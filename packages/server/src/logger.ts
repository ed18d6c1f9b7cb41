import pino, { type Logger } from 'pino'

export type { Logger }

/**
 * JSON logs. Nothing that may hold a key is ever passed to them; the redaction is the second line of defence.
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
