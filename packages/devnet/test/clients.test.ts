import { type Hex, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import { describe, expect, test } from 'vitest'
import { receiptOf } from './clients.js'

const hash: Hex = `0x${'11'.repeat(32)}`

/** A client that returns the given answers in order, and throws those that are errors. */
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
  test('default: asks until there is a receipt, even if no block follows', async () => {
    const none = new TransactionReceiptNotFoundError({ hash })
    const receipt = { status: 'success' }
    expect(await receiptOf(clientWith([none, none, receipt]), hash)).toBe(receipt)
  })

  test('error: stops if the node fails', async () => {
    await expect(receiptOf(clientWith([new TypeError('gone')]), hash)).rejects.toThrow('gone')
  })
})
