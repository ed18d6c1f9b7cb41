import type { Told } from './signalProgram.js'

const kinds = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const targets = ['group', 'process'] as const
const maxSignals = 5
/**
 * Signals begin before the first response and end after the last one, if a response takes half of this time.
 * Milliseconds.
 */
export const signalsWithinMs = 1_400

/** One to five signals at random times, each to the whole group or to the first process. */
export function drawSignals(random: () => number): readonly Told[] {
  const pick = <value>(values: readonly value[]) => values[Math.floor(random() * values.length)]!
  const count = 1 + Math.floor(random() * maxSignals)
  return Array.from({ length: count }, () => ({
    atMs: Math.floor(random() * signalsWithinMs),
    signal: pick(kinds),
    to: pick(targets),
  }))
}
