import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createRpc } from '../src/rpc.js'

/** Returns the `data` of the error that the client throws if the node's error has this data. */
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
  ['plain data', '0x1234', '0x1234'],
  ['an object, like Hardhat', { message: 'reverted', data: '0x1234' }, '0x1234'],
  ['no data', undefined, undefined],
  ['data of another type', { data: 7 }, undefined],
])('default: returns the revert data if the node sends %s', async (_, given, expected) => {
  expect(await dataOf(given)).toBe(expected)
})
