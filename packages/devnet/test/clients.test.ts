import { type Hex, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { describe, expect, test } from 'vitest'
import { receiptOf } from './clients.js'

const hash: Hex = `0x${'11'.repeat(32)}`

/** Answers in order; what is thrown is no answer. */
function clientWith(answers: readonly unknown[]) {
  let asked = 0
  const getTransactionReceipt = async () => {
    const answer = answers[asked++]
    if (answer instanceof Error) throw answer
    return answer
  }
  return { getTransactionReceipt } as unknown as Pick<PublicClient, 'getTransactionReceipt'>
}

describe('receiptOf', () => {
  test('default: asks until there is one, though no block follows', async () => {
    const none = new TransactionReceiptNotFoundError({ hash })
    const receipt = { status: 'success' }
    expect(await receiptOf(clientWith([none, none, receipt]), hash)).toBe(receipt)
  })

  test('error: a node that fails is no reason to go on', async () => {
    await expect(receiptOf(clientWith([new TypeError('gone')]), hash)).rejects.toThrow('gone')
  })
})
