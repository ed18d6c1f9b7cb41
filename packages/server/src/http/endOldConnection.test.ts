import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startService } from '../../test/harness.js'

const request = 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'

/** Sends `count` requests, each `ahead` places before its answer is due; whether the service ends the connection. */
function converse(port: number, { ahead, count }: { ahead: number; count: number }) {
  return new Promise<{ heads: string[]; isEnded: boolean }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => send(ahead))
    let text = ''
    let sent = 0
    let isEnded = false
    const send = (upTo: number) => {
      const due = Math.min(upTo, count) - sent
      sent += due
      socket.write(request.repeat(due))
    }
    socket.on('data', (chunk) => {
      text += chunk
      const answers = text.split('"ok":').length - 1
      if (answers < count) send(answers + ahead)
      // A moment in which the service could end it.
      else setTimeout(() => socket.end(), 200)
    })
    socket.on('end', () => {
      isEnded = !socket.writableEnded
    })
    socket.on('close', () =>
      resolve({ heads: text.match(/HTTP\/1\.1 .*?\r\n\r\n/gs) ?? [], isEnded }),
    )
    socket.on('error', reject)
  })
}

const closing = /^connection: close\r$/im
const isSuccess = (head: string) => head.startsWith('HTTP/1.1 200 ')

test('default: the thousandth answer is the last of its connection, and says so', async () => {
  const { port } = await startService({ logLevel: 'silent' })
  const { heads, isEnded } = await converse(port, { ahead: 1, count: 1_000 })
  expect(heads.filter(isSuccess)).toHaveLength(1_000)
  expect(heads.findIndex((head) => closing.test(head))).toBe(999)
  expect(isEnded).toBe(true)
})

test('behavior: who sends ahead loses nothing', async () => {
  const { port } = await startService({ logLevel: 'silent' })
  const { heads, isEnded } = await converse(port, { ahead: 10, count: 2_100 })
  expect(heads.filter(isSuccess)).toHaveLength(2_100)
  expect([heads.some((head) => closing.test(head)), isEnded]).toEqual([false, false])
})
