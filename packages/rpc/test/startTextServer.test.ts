import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startProxy } from './startProxy.js'
import { startTextServer } from './startTextServer.js'

// Vitest fails if a server leaves a rejected promise behind.

test('behavior: a client of a proxy loses its connection when the node stops before it has answered', async () => {
  let arrived = () => {}
  const isAsked = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const node = await startTextServer(async () => {
    arrived()
    return undefined
  })
  const proxy = await startProxy(node.url, (_, forward) => forward())
  const answer = fetch(proxy.url, { method: 'POST', body: '{}' }).catch((error: Error) => error)
  await isAsked
  await node.close()
  expect(await answer).toMatchObject({ message: 'fetch failed' })
  await proxy.close()
})

test('behavior: a client that leaves in the middle of its request is not answered', async () => {
  const bodies: string[] = []
  const server = await startTextServer(async (body) => {
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
  await server.close()
})
