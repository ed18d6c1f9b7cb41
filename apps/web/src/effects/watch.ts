import { Addresses, Events } from '@sluice/domain'
import type { AskNode } from '../askNode.js'
import type { Outcome } from '../machine/events.js'
import type { Activity } from '../machine/State.js'
import type { Boot } from './boot.js'
import { revertDataOf, revertWords } from './walletWords.js'

type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }
type Receipt = {
  readonly status?: string
  readonly transactionHash?: string
  readonly blockNumber?: string
  readonly gasUsed?: string
  readonly logs?: readonly Log[]
}

const everyMs = 1_200

/** Looks after a transaction until it is mined. Nodes that do not answer are asked again; nothing is taken for an end. */
export async function watch(
  askOf: () => AskNode | undefined,
  activity: Activity,
  boot: Pick<Boot, 'registry'>,
): Promise<Outcome> {
  for (;;) {
    const ask = askOf()
    const receipt = ask && (await receiptOf(ask, activity).catch(() => undefined))
    if (ask && receipt) return await outcomeOf(ask, receipt, activity, boot)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

async function receiptOf(ask: AskNode, { id, isBatch }: Activity): Promise<Receipt | undefined> {
  if (isBatch !== true)
    return ((await ask('eth_getTransactionReceipt', [id])) as Receipt | null) ?? undefined
  const answer = (await ask('wallet_getCallsStatus', [id])) as {
    status?: number | string
    receipts?: readonly Receipt[]
  } | null
  const status = answer?.status
  const last = answer?.receipts?.at(-1)
  if (status === 200 || status === 'CONFIRMED') return last
  if (typeof status === 'number' && status >= 400) return { status: '0x0', ...last }
  return undefined
}

async function outcomeOf(
  ask: AskNode,
  receipt: Receipt,
  activity: Activity,
  boot: Pick<Boot, 'registry'>,
): Promise<Outcome> {
  const { transactionHash = activity.hash ?? activity.id } = receipt
  const block = Number(receipt.blockNumber ?? 0)
  if (receipt.status === '0x1' || receipt.status === '1')
    return {
      kind: 'done',
      hash: transactionHash,
      block,
      delivered: deliveredOf(receipt, activity, boot),
    }
  const reason = await whyReverted(ask, transactionHash, receipt).catch(() => undefined)
  return {
    kind: 'failed',
    hash: transactionHash,
    reason:
      reason ?? 'The chain undid it and did not say why. Nothing was swapped; the gas is paid.',
  }
}

/** What the Router says that it paid, from its own event. */
export function deliveredOf(
  { logs = [] }: Receipt,
  { chainId }: Activity,
  { registry }: Pick<Boot, 'registry'>,
): string | undefined {
  const chain = registry.get(chainId)
  const routers = [chain?.contracts, ...Object.values(chain?.versions ?? {})].flatMap(
    (each) => each?.router ?? [],
  )
  const swap = logs.find(
    ({ address, topics }) =>
      topics[0] === Events.all.Swap.topic0 &&
      routers.some((router) => Addresses.equal(router, address)),
  )
  const word = swap?.data.slice(66, 130) ?? ''
  return /^[0-9a-f]{64}$/i.test(word) ? String(BigInt(`0x${word}`)) : undefined
}

const outOfGas =
  'It ran out of gas, because your wallet set a limit that is too low. Nothing was swapped; the gas is paid.'

/** Runs it again on the state before its block, for the reason. */
async function whyReverted(
  ask: AskNode,
  hash: string,
  receipt: Receipt,
): Promise<string | undefined> {
  const sent = (await ask('eth_getTransactionByHash', [hash])) as {
    from: string
    to: string
    input: string
    value: string
    gas: string
  } | null
  if (sent === null) return undefined
  const { from, input: data, to, value } = sent
  const before = `0x${(Number(receipt.blockNumber ?? 1) - 1).toString(16)}`
  // A call keeps back a 64th of its gas, so a swap that ran out of it has not used quite all.
  const ranOut = Number(receipt.gasUsed ?? 0) > 0.97 * Number(sent.gas)
  try {
    await ask('eth_call', [{ from, to, data, value }, before])
    if (ranOut) return outOfGas
    return 'The price moved between your signature and the block, so the swap was undone. Nothing was swapped; the gas is paid.'
  } catch (error) {
    const revert = revertDataOf(error)
    return revert === undefined
      ? ranOut
        ? outOfGas
        : undefined
      : `${await revertWords(revert)} Nothing was swapped; the gas is paid.`
  }
}
