import { Solvency } from '@sluice/domain'
import type { Failure } from '@sluice/rpc'
import type { ChainState } from '../ChainState.js'
import { readPinned } from '../quotes/readPinned.js'

/** Time limit of a read, in milliseconds. */
const budgetMs = 2_500

/**
 * Reads the state of a Staking contract, its token and Core, all on one block.
 *
 * Does not throw if nodes fail. A failed read is never a zero: the result is `unreadable`, with a code.
 */
export async function readSolvency(
  state: ChainState,
  target: Solvency.Target,
  options: Omit<readPinned.Options, 'budgetMs'>,
): Promise<Solvency.State> {
  const calls = Solvency.callsOf(target)
  const read = await readPinned(state, calls, { ...options, budgetMs })
  if (!read.ok) return unreadable(codeOf(read.failure))
  const answers = read.results.map((result) => (result.ok ? result.data : undefined))
  const { ledger, raw } = Solvency.readAnswers(target, answers)
  if (raw === undefined) return unreadable('bad_result', 'The call to the contract failed.')
  const report = Solvency.decode(raw)
  if ('problem' in report) return unreadable('bad_result', `Reason: ${report.problem}.`)
  const { hash, number, timestamp } = read.block
  const block = { hash, number, timestamp }
  return { kind: 'read', reading: { block, report, raw, ledger, readAt: options.now() } }
}

const reasons: Readonly<Record<Solvency.UnreadableCode, string>> = {
  rpc_unreachable: 'No node of the chain gave a valid answer in time.',
  rpc_stale: 'The nodes of the chain answer, but their latest block is too old.',
  bad_result: 'The contract did not return a valid solvency report.',
  not_served: 'This service has no node of the chain.',
}

/** Returns the state of a failed read. `detail` is added to the code's own sentence. */
export function unreadable(code: Solvency.UnreadableCode, detail?: string): Solvency.State {
  const reason = detail === undefined ? reasons[code] : `${reasons[code]} ${detail}`
  return { kind: 'unreadable', code, reason, last: undefined }
}

function codeOf(failure: Failure): Solvency.UnreadableCode {
  return failure === 'stale' ? 'rpc_stale' : 'rpc_unreachable'
}
