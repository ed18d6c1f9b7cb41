import { IntegrityError } from '@sluice/sdk'
import { NodeError } from '../askNode.js'
import { codeOf } from './codeOf.js'

/** Data of a revert among the causes of an error. */
export function revertDataOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { data } = cause as { data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (typeof hex === 'string' && /^0x[0-9a-f]+$/i.test(hex)) return hex
  }
  return undefined
}

/** A signature that does not pay for the swap, though it was given. */
export class UnusableSignatureError extends NodeError {}

/** Codes with which a wallet says that it does not know a request. */
const unknownRequest = [4200, -32601, -32004]

/** Whether a signature cannot pay, so that an approval has to. */
export function isUnsignable(error: unknown): boolean {
  return error instanceof UnusableSignatureError || unknownRequest.includes(codeOf(error) ?? 0)
}

/** Codes with which a wallet says that its owner declined. */
const declined = [4001, 5720, 5750]

/** Why a wallet did not sign, in words for whoever pressed the button. */
export async function walletWords(error: unknown, nothing: string): Promise<string> {
  if (error instanceof IntegrityError)
    return `Refused before your wallet saw it: ${error.shortMessage}`
  const text = messagesOf(error)
  const code = codeOf(error)
  if (declined.includes(code ?? 0) || /user (rejected|denied|cancel)/i.test(text))
    return `You declined it in your wallet. ${nothing}`
  if (code === 4100)
    return 'Your wallet has not allowed this page to use the account. Connect it again.'
  if (code === 4900 || code === 4901) return 'Your wallet is not connected to the chain.'
  if (code === -32002) return 'A request is already open in your wallet: answer that one first.'
  if (/insufficient funds/i.test(text))
    return `The account has too little ETH to pay for the gas. ${nothing}`
  if (/nonce/i.test(text)) return `Your wallet has another transaction under way. ${nothing}`
  const data = revertDataOf(error)
  if (data !== undefined) return `The swap would fail: ${await revertWords(data)} ${nothing}`
  if (error instanceof NodeError) return `${error.message.slice(0, 160)} ${nothing}`
  return `Your wallet failed and did not say why. ${nothing}`
}

/** What a revert means and what to do. */
export async function revertWords(data: string): Promise<string> {
  const { read } = await import('./reverts.js')
  return read(data as `0x${string}`)
}

function messagesOf(error: unknown): string {
  const texts: string[] = []
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause)
    texts.push(String((cause as { message?: unknown }).message ?? ''))
  return texts.join(' ')
}
