/** Quoting on a node of one's own and sending what was checked, with viem. */
export { type ApproveParameters, approve } from './approve.js'
export { quote } from './quote.js'
export type { Revert } from './revertOf.js'
export { type SendParameters, send } from './send.js'
export { type SimulateParameters, SwapRevertedError, simulate } from './simulate.js'
