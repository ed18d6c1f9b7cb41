/** Everything that a node does wrong here. */
export const faults = [
  'hang',
  'drip',
  'reset',
  'down',
  'unavailable',
  'html',
  'throttled',
  'wrongId',
  'duplicateId',
  'missingItem',
  'null',
  'empty',
  'oddHex',
  'truncatedGzip',
  'huge',
  'slow',
  'internalError',
  'outOfGas',
  'revert',
  'lagging',
  'behind',
  'forked',
  'ahead',
  'wrongChain',
] as const

export type Fault = (typeof faults)[number]

/** Faults of what is said, not of how: only other nodes can show them up. */
export const lies: readonly Fault[] = ['lagging', 'behind', 'forked', 'ahead']
