import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { AppEnv } from '../AppEnv.js'
import { catching, type Layer, type Run, whenAnswered, withLayers } from './Layer.js'

const runs: Readonly<Record<string, Run>> = {
  'at once': (c) => c.text('done'),
  later: async (c) => {
    await new Promise(setImmediate)
    return c.text('done')
  },
}
const failures: Readonly<Record<string, Run>> = {
  'at once': () => {
    throw new Error('broken')
  },
  later: () => Promise.reject(new Error('broken')),
}

function ask(run: Run) {
  return new Hono<AppEnv>().get('/', run).request('/')
}

describe.each(Object.keys(runs))('a run that answers %s', (when) => {
  test('default: layers see the request from outside in, and the response from inside out', async () => {
    const seen: string[] = []
    const layer =
      (name: string): Layer =>
      (_, next) => {
        seen.push(`${name} asked`)
        return whenAnswered(next(), ({ status }) => seen.push(`${name} ${status}`))
      }
    const answer = await ask(withLayers([layer('a'), layer('b')], runs[when]!))
    expect(await answer.text()).toBe('done')
    expect(seen).toEqual(['a asked', 'b asked', 'b 200', 'a 200'])
  })

  test('behavior: a layer can respond itself', async () => {
    const refuse: Layer = (c) => c.text('refused', 503)
    const answer = await ask(withLayers([refuse], runs[when]!))
    expect([answer.status, await answer.text()]).toEqual([503, 'refused'])
  })

  test('error: an error becomes a response', async () => {
    const run = catching(failures[when]!, (error, c) => c.text((error as Error).message, 500))
    const answer = await ask(run)
    expect([answer.status, await answer.text()]).toEqual([500, 'broken'])
  })
})

test('behavior: a response that exists already is returned at once', async () => {
  const app = new Hono<AppEnv>().get('/', withLayers([(_, next) => next()], runs['at once']!))
  expect(app.fetch(new Request('http://localhost/'))).toBeInstanceOf(Response)
})
