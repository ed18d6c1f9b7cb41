import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createRpc } from '../src/rpc.js'

/** What an error of a node carries when its data is this. */
async function dataOf(data: unknown): Promise<unknown> {
  const server = createServer((_, response) => {
    const error = { code: 3, message: 'execution reverted', data }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await createRpc(`http://127.0.0.1:${port}`)
      .request('eth_call')
      .catch((error: { data?: unknown }) => error.data)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test.each([
  ['as it is', '0x1234', '0x1234'],
  ['in an object, as Hardhat gives it', { message: 'reverted', data: '0x1234' }, '0x1234'],
  ['not at all', undefined, undefined],
  ['in another form', { data: 7 }, undefined],
])('default: what a revert carries, given %s', async (_, given, expected) => {
  expect(await dataOf(given)).toBe(expected)
})
