/** All faults of simulated nodes. */
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

/** Well-formed responses that are false. They can only be detected by comparison with other nodes. */
export const lies: readonly Fault[] = ['lagging', 'behind', 'forked', 'ahead']
