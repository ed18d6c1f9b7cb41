import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenapi, examples } from '@sluice/api'
import { afterAll, expect, test } from 'vitest'

/** A service whose responses do not match its own OpenAPI document. */
const liar = createServer((incoming, outgoing) => {
  const isDescription = incoming.url === '/api/openapi.json'
  const body = isDescription
    ? createOpenapi({ url: '', examples })
    : { ok: incoming.url !== '/api/health' }
  outgoing.setHeader('content-type', 'application/json').setHeader('x-request-id', 'x')
  outgoing.writeHead(incoming.url === '/api/nowhere' ? 404 : 200).end(JSON.stringify(body))
}).listen(0, '127.0.0.1')
afterAll(() => liar.close())

test('behavior: a response that does not match the OpenAPI document fails the test', async () => {
  const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
  await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  await expect(fetch(`${url}/api/quote`, { method: 'POST' })).rejects.toThrow('is not described')
  expect((await fetch(`${url}/api/nowhere`)).status).toBe(404)
  expect((await fetch(`${url}/elsewhere`)).status).toBe(200)
})
