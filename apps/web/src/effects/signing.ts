import { NodeError } from '../askNode.js'
import type { Effect } from '../machine/events.js'
import { findPayment } from './findPayment.js'
import { send } from './send.js'
import { sign } from './sign.js'
import type { Askers, World } from './World.js'
import { isUnsignable, walletWords } from './walletWords.js'

type Of<name extends Effect['do']> = Extract<Effect, { do: name }>

/** Hands the wallet what it is to sign or to send, and tells what came of it. */
export async function handOver(
  { boot, dispatch }: World,
  askers: Askers,
  effect: Of<'send'> | Of<'sign'>,
): Promise<void> {
  const { sendId } = effect
  try {
    const wallet = askers.wallet()
    if (wallet === undefined) throw new NodeError('The wallet is gone.')
    if (effect.do === 'send')
      dispatch({ type: 'signed', sendId, ...(await send(wallet, effect, boot)) })
    else dispatch({ type: 'permitSigned', sendId, signature: await sign(wallet, effect, boot) })
  } catch (error) {
    const isSigned = effect.do === 'sign' || effect.signature !== undefined
    dispatch({ type: 'refused', sendId, ...(await refusalOf(error, isSigned)) })
  }
}

/** Why nothing was sent. Where a signature cannot pay, the way on is an approval. */
async function refusalOf(error: unknown, isSigned: boolean) {
  if (isSigned && isUnsignable(error)) return { reason: approveInstead, isUnsignable: true }
  return { reason: await walletWords(error, 'Nothing was sent.') }
}

const approveInstead =
  'A signature does not work for this token and wallet, and nothing was sent. Approve the token instead.'

/** Finds out whether a signature pays. An approval always does, so it is taken if nobody answers. */
export async function lookForPayment(
  { boot, dispatch }: World,
  { parameters, paymentKey }: Of<'findPayment'>,
): Promise<void> {
  const found = await findPayment(boot.client, parameters).catch(
    () => ({ payment: 'approve' }) as const,
  )
  dispatch({ type: 'paymentFound', paymentKey, ...found })
}
