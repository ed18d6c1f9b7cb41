import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startProxy, startTextServer, type TextServer } from './startTextServer.js'

const servers: TextServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Vitest fails if a server leaves a rejected promise behind. */
async function start(...args: Parameters<typeof startTextServer>) {
  const server = await startTextServer(...args)
  servers.push(server)
  return server
}

test('behavior: a client of a proxy loses its connection when the node stops before it has answered', async () => {
  let arrived = () => {}
  const isAsked = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const node = await start(async () => {
    arrived()
    return undefined
  })
  const proxy = await startProxy(node.url, (_, forward) => forward())
  servers.push(proxy)
  const answer = fetch(proxy.url, { method: 'POST', body: '{}' }).catch((error: Error) => error)
  await isAsked
  await node.close()
  servers.splice(servers.indexOf(node), 1)
  expect(await answer).toMatchObject({ message: 'fetch failed' })
})

test('behavior: a client that leaves in the middle of its request is not answered', async () => {
  const bodies: string[] = []
  const server = await start(async (body) => {
    bodies.push(body)
    return body
  })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab')
  await expect.poll(() => server.open).toBe(1)
  socket.destroy()
  await expect.poll(() => server.open).toBe(0)
  expect(bodies).toEqual([])
  const answer = await fetch(server.url, { method: 'POST', body: 'abcde' })
  expect(await answer.text()).toBe('abcde')
})
