import { describe, expect, test } from 'vitest'
import { createFlights } from './Flights.js'

/** Work that the test completes. */
function work() {
  const started: AbortSignal[] = []
  let finish: (value: string) => void = () => {}
  let fail: (error: Error) => void = () => {}
  return {
    started,
    finish: (value: string) => finish(value),
    fail: (error: Error) => fail(error),
    start: (signal: AbortSignal) => {
      started.push(signal)
      return new Promise<string>((resolve, reject) => {
        finish = resolve
        fail = reject
      })
    },
  }
}

describe('Flights.join', () => {
  test('default: concurrent callers share one run', async () => {
    const flights = createFlights<string>()
    const { finish, start, started } = work()
    const joined = [1, 2, 3].map(() => flights.join('key', { start }))
    finish('done')
    expect(await Promise.all(joined)).toEqual([
      { result: 'done', isShared: false },
      { result: 'done', isShared: true },
      { result: 'done', isShared: true },
    ])
    expect(started).toHaveLength(1)
  })

  test('behavior: another key, or a later call, starts a new run', async () => {
    const flights = createFlights<string>()
    const start = async () => 'done'
    await flights.join('a', { start })
    const later = await Promise.all([flights.join('a', { start }), flights.join('b', { start })])
    expect(later.map(({ isShared }) => isShared)).toEqual([false, false])
  })

  test('behavior: if the first caller aborts, the others still get the result', async () => {
    const flights = createFlights<string>()
    const { finish, start, started } = work()
    const leader = new AbortController()
    const first = flights.join('key', { start, signal: leader.signal })
    const second = flights.join('key', { start })
    leader.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    expect(started[0]!.aborted).toBe(false)
    finish('done')
    expect(await second).toEqual({ result: 'done', isShared: true })
  })

  test('behavior: the work is canceled with its last caller, and a later call restarts it', async () => {
    const flights = createFlights<string>()
    const { start, started } = work()
    const callers = [new AbortController(), new AbortController()]
    const joined = callers.map(({ signal }) => flights.join('key', { start, signal }))
    for (const caller of callers) caller.abort(new Error('gone'))
    for (const each of joined) await expect(each).rejects.toThrow('gone')
    expect(started[0]!.aborted).toBe(true)
    const again = work()
    const next = flights.join('key', { start: again.start })
    again.finish('anew')
    expect(await next).toEqual({ result: 'anew', isShared: false })
  })

  test('error: a failure is shared and not cached', async () => {
    const flights = createFlights<string>()
    const { fail, start } = work()
    const joined = [1, 2].map(() => flights.join('key', { start }))
    fail(new Error('broken'))
    for (const each of joined) await expect(each).rejects.toThrow('broken')
    expect(await flights.join('key', { start: async () => 'whole' })).toMatchObject({
      result: 'whole',
    })
  })
})
