import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ask, post, quotePath, startService } from '../test/harness.js'

const canary = 'CANARY_f00d5ecret'
const servers: { close: () => void }[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A node that repeats its own URL in every response, as some do. */
async function startGossip(): Promise<number> {
  const node = createServer((request, response) => {
    const text = `invalid API key in ${request.url} ${request.headers.authorization}`
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: text } }))
  })
  servers.push(node)
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  return (node.address() as { port: number }).port
}

test('behavior: a key in a node URL appears in no response and no log line', async () => {
  const port = await startGossip()
  const rpcUrls = [
    `http://127.0.0.1:${port}/v2/${canary}`,
    `http://${canary}:${canary}@127.0.0.1:${port}/?key=${canary}`,
    `http://127.0.0.1:1/${canary}`,
  ]
  const { log, url } = await startService({
    rpcUrls: new Map([[8_453, rpcUrls]]),
    logLevel: 'trace',
  })
  const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1' }
  const answers = await Promise.all([
    ask(url + quotePath),
    ask(`${url}${quotePath}&exact=1`),
    ask(`${url}/api/health`),
    ask(`${url}/nope`),
    post(`${url}/api/quote/batch`, { requests: [item] }),
  ])
  expect(answers[0]).toMatchObject({ status: 502, body: { code: 'rpc_unreachable' } })
  expect(log.join('')).toContain('"upstream":"8453#2","failure":"auth"')
  for (const text of [JSON.stringify(answers.map(({ body }) => body)), log.join('')])
    expect(text).not.toContain(canary)
})

test('behavior: a log line contains one request, whatever its path, and no query', async () => {
  const { log, url } = await startService({ logLevel: 'info' })
  await ask(`${url}/x%0a%1b[31m{"level":60}?secret=1`, {
    headers: { 'x-request-id': 'a'.repeat(8) },
  })
  const line = log.find((each) => each.includes('"status":404'))!
  expect(JSON.parse(line)).toMatchObject({ requestId: 'aaaaaaaa', method: 'GET', status: 404 })
  expect(line).not.toContain('secret')
  expect(line.trim()).not.toContain('\n')
})
