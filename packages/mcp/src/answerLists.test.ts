import { createMcpHandler } from '@modelcontextprotocol/server'
import { createClient } from '@sluice/sdk'
import { expect, test } from 'vitest'
import { createListAnswers } from './answerLists.js'
import { createServer } from './createServer.js'

const client = createClient({ baseUrl: 'http://localhost', fetch: () => Promise.reject() })

function open() {
  const handler = createMcpHandler(() => createServer(client), {})
  let asked = 0
  const answer = createListAnswers((request) => {
    asked++
    return handler.fetch(request)
  })
  return { handler, answer, asked: () => asked }
}

function requestOf(body: unknown, accept = 'application/json, text/event-stream') {
  const headers = { 'content-type': 'application/json', accept }
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
}

/** Sorted, because the server writes events in any order. */
const eventsOf = (text: string) => text.split('\n\n').sort().join('\n\n')

const list = (id: unknown, method = 'tools/list') => ({ jsonrpc: '2.0', id, method })

test.each([
  [list(1)],
  [list('a "quoted" $& id')],
  [list(2, 'prompts/list')],
  [[list(5), list(6, 'prompts/list'), list('5')]],
])('default: responds to %j as the server does, and asks it once', async (body) => {
  const { answer, asked, handler } = open()
  const whole = await handler.fetch(requestOf(body))
  const text = await whole.text()
  for (let turn = 0; turn < 3; turn++) {
    const quick = (await answer(requestOf(body), JSON.stringify(body)))!
    // Compares booleans, because the texts are too long for a failure message.
    expect(eventsOf(await quick.text()) === eventsOf(text)).toBe(true)
    expect([quick.status, ...quick.headers]).toEqual([whole.status, ...whole.headers])
  }
  expect(asked()).toBe(new Set([body].flat().map(({ method }) => method)).size)
})

test.each([
  [{ ...list(1), params: { cursor: 'x' } }],
  [list(null)],
  [list(1.5)],
  [list(1, 'resources/list')],
  [[list(1), list(1)]],
  [list(1, 'tools/call')],
  [[list(1), list(2, 'ping')]],
  [[]],
  [{ ...list(1), jsonrpc: '1.0' }],
])('behavior: leaves %j to the server', async (body) => {
  const { answer, asked } = open()
  expect(await answer(requestOf(body), JSON.stringify(body))).toBeUndefined()
  expect(asked()).toBe(0)
})

test('behavior: does not cache a rejection', async () => {
  const { answer } = open()
  const body = list(1)
  const request = requestOf(body, 'text/html')
  expect(await answer(request, JSON.stringify(body))).toBeUndefined()
})
