import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from '../AppEnv.js'
import { createCallers } from '../http/callers.js'
import { createLimiter } from '../limits/Limiter.js'
import { type Run, withLayers } from './Layer.js'
import { shedLoad } from './shedLoad.js'

/** Sends a request to an app that counts its work, on an open or closed connection. */
async function askFrom(outgoing: { destroyed: boolean }) {
  const limiter = createLimiter({ maxSlots: 8, maxLateMs: 25 })
  let worked = 0
  const shed = shedLoad({ callers: createCallers([]), limiter, onShed: () => {} })
  const run: Run = (c) => {
    worked++
    return c.text('done')
  }
  const app = new Hono<AppEnv>().get('/', withLayers([shed], run))
  const answer = await app.request('/', {}, { outgoing })
  return { status: answer.status, worked, busy: limiter.counts().busy }
}

test('default: runs the work and releases its slot', async () => {
  expect(await askFrom({ destroyed: false })).toEqual({ status: 200, worked: 1, busy: 0 })
})

test('behavior: does nothing for a client that disconnected while it waited', async () => {
  expect(await askFrom({ destroyed: true })).toEqual({ status: 499, worked: 0, busy: 0 })
})

test('behavior: slow senders hold no slot', async () => {
  const limiter = createLimiter({ maxSlots: 8, maxLateMs: 25 })
  const shed = shedLoad({ callers: createCallers([]), limiter, onShed: () => {} })
  const run: Run = async (c) => c.text(`${limiter.counts().busy} ${await c.req.raw.text()}`)
  const app = new Hono<AppEnv>().post('/', withLayers([shed], run))
  let end = () => {}
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"a":'))
      end = () => {
        controller.enqueue(new TextEncoder().encode('1}'))
        controller.close()
      }
    },
  })
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body, duplex: 'half' as const }
  const answer = app.request('/', init)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(limiter.counts().busy).toBe(0)
  end()
  expect(await (await answer).text()).toBe('1 {"a":1}')
})
