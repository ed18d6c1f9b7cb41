import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLimiter, type Limiter, ShedError } from './Limiter.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks for a slot, and records the result. */
function ask(limiter: Limiter, caller: string, key?: string) {
  const asked = { state: 'waiting', leave: () => {} }
  limiter.enter(caller, key).then(
    (leave) => Object.assign(asked, { state: 'working', leave }),
    (error: ShedError) => Object.assign(asked, { state: error.reason }),
  )
  return asked
}

const askMany = (limiter: Limiter, caller: string, count: number) =>
  Array.from({ length: count }, () => ask(limiter, caller))

const countOf = (all: readonly { state: string }[], wanted: string) =>
  all.filter(({ state }) => state === wanted).length

/** Lets settled promises take effect. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** Treats each call as a new turn. */
const atOnce = (run: () => void) => run()
const many = { maxSlots: 32, maxLateMs: 25 }

describe('slots', () => {
  test('default: a slot is held until it is released', async () => {
    const limiter = createLimiter({ ...many, nextTurn: atOnce })
    const asked = ask(limiter, 'a')
    await settle()
    expect([asked.state, limiter.counts()]).toEqual(['working', { limit: 32, busy: 1, waiting: 0 }])
    asked.leave()
    expect(limiter.counts().busy).toBe(0)
  })

  test('behavior: a single caller gets three quarters, and others the rest', async () => {
    const limiter = createLimiter({ ...many, nextTurn: atOnce })
    const greedy = askMany(limiter, 'greedy', 40)
    await settle()
    expect(countOf(greedy, 'working')).toBe(24)
    const others = ['b', 'c', 'd', 'e'].map((caller) => ask(limiter, caller))
    await settle()
    expect(countOf(others, 'working')).toBe(4)
    // The free slots shrink, and so does the share of a caller with many.
    greedy.find(({ state }) => state === 'working')!.leave()
    await settle()
    expect(countOf(greedy, 'working')).toBe(24)
  })

  test('behavior: a released slot goes to the caller with the fewest', async () => {
    const limiter = createLimiter({ maxSlots: 4, maxLateMs: 0, nextTurn: atOnce })
    const held = [ask(limiter, 'a'), ask(limiter, 'a'), ask(limiter, 'b'), ask(limiter, 'c')]
    const first = ask(limiter, 'a')
    const second = ask(limiter, 'b')
    const third = ask(limiter, 'd')
    await settle()
    expect(countOf(held, 'working')).toBe(4)
    held[3]!.leave()
    await settle()
    expect([first.state, second.state, third.state]).toEqual(['waiting', 'waiting', 'working'])
    held[2]!.leave()
    await settle()
    expect([first.state, second.state]).toEqual(['waiting', 'working'])
  })

  test('behavior: identical work joins running work and takes no slot', async () => {
    const limiter = createLimiter({ maxSlots: 1, maxLateMs: 0, nextTurn: atOnce })
    const [first, second] = [ask(limiter, 'a', 'k'), ask(limiter, 'b', 'k')]
    await settle()
    expect([first.state, second.state, limiter.counts().busy]).toEqual(['working', 'working', 1])
    expect(limiter.isFull('c', 'k')).toBe(false)
    first.leave()
    expect(limiter.counts().busy).toBe(1)
    second.leave()
    expect(limiter.counts().busy).toBe(0)
  })

  test('behavior: identical work joins waiting work', async () => {
    const limiter = createLimiter({ maxSlots: 1, maxLateMs: 0, nextTurn: atOnce })
    const holder = ask(limiter, 'a')
    await settle()
    const [first, second] = [ask(limiter, 'b', 'k'), ask(limiter, 'c', 'k')]
    await settle()
    expect(limiter.counts().waiting).toBe(1)
    holder.leave()
    await settle()
    expect([first.state, second.state, limiter.counts().busy]).toEqual(['working', 'working', 1])
    second.leave()
    expect(limiter.counts().busy).toBe(1)
    first.leave()
    expect(limiter.counts().busy).toBe(0)
  })
})

describe('waiting', () => {
  test('default: waits 200 ms in a burst, then 40 ms for a caller with many slots, a second for one with few', async () => {
    const limiter = createLimiter({ ...many, nextTurn: atOnce })
    askMany(limiter, 'a', 24)
    const greedy = ask(limiter, 'a')
    const others = Array.from({ length: 8 }, (_, index) => ask(limiter, `b${index}`))
    const polite = ask(limiter, 'c')
    await settle()
    expect([countOf(others, 'working'), greedy.state, polite.state]).toEqual([
      8,
      'waiting',
      'waiting',
    ])
    await vi.advanceTimersByTimeAsync(199)
    expect(greedy.state).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect([greedy.state, polite.state]).toEqual(['waited', 'waiting'])
    const late = ask(limiter, 'a')
    await vi.advanceTimersByTimeAsync(39)
    expect(late.state).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(late.state).toBe('waited')
    await vi.advanceTimersByTimeAsync(759)
    expect(polite.state).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(polite.state).toBe('waited')
    expect(limiter.counts()).toEqual({ limit: 32, busy: 32, waiting: 0 })
  })

  test('behavior: a new burst begins once the queue was empty', async () => {
    const limiter = createLimiter({ maxSlots: 1, maxLateMs: 0, nextTurn: atOnce })
    const holder = ask(limiter, 'a')
    const first = ask(limiter, 'a')
    await vi.advanceTimersByTimeAsync(150)
    holder.leave()
    await settle()
    expect(first.state).toBe('working')
    await vi.advanceTimersByTimeAsync(500)
    const second = ask(limiter, 'a')
    await vi.advanceTimersByTimeAsync(199)
    expect(second.state).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(second.state).toBe('waited')
  })

  test('behavior: time in which the process was blocked does not count as waiting', async () => {
    vi.useRealTimers()
    const limiter = createLimiter({ maxSlots: 1, maxLateMs: 0, nextTurn: atOnce })
    const leave = await limiter.enter('a')
    const second = limiter.enter('a')
    const until = performance.now() + 300
    while (performance.now() < until);
    // Due timers run before this.
    await new Promise((resolve) => setTimeout(resolve, 1))
    leave()
    expect(await second).toBeTypeOf('function')
  })

  test('behavior: a full queue refuses at once, and `isFull` predicts it', async () => {
    const limiter = createLimiter({ maxSlots: 16, maxLateMs: 25, nextTurn: atOnce })
    const asked = askMany(limiter, 'a', 12 + 32)
    await settle()
    expect([countOf(asked, 'working'), countOf(asked, 'waiting')]).toEqual([12, 32])
    expect(limiter.isFull('a')).toBe(true)
    const late = ask(limiter, 'a')
    await settle()
    expect(late.state).toBe('queue_full')
  })

  test('behavior: the caller with the most waiting work gives way to one with none', async () => {
    const limiter = createLimiter({ maxSlots: 8, maxLateMs: 0, nextTurn: atOnce })
    const greedy = askMany(limiter, 'a', 6 + 16)
    const others = ['b', 'c'].map((caller) => ask(limiter, caller))
    await settle()
    expect(limiter.counts()).toEqual({ limit: 8, busy: 8, waiting: 16 })
    expect(limiter.isFull('d')).toBe(false)
    const polite = ask(limiter, 'd')
    await settle()
    expect(countOf(others, 'working')).toBe(2)
    expect([polite.state, countOf(greedy, 'queue_full')]).toEqual(['waiting', 1])
  })
})

describe('the number of slots', () => {
  const fill = async (limiter: Limiter) => {
    const all = Array.from({ length: 200 }, (_, index) => ask(limiter, `${index}`))
    await settle()
    return all
  }

  test('default: shrinks while the process is late because of its work, to at least eight', async () => {
    const limiter = createLimiter({ maxSlots: 128, maxLateMs: 25, nextTurn: atOnce })
    await fill(limiter)
    expect(limiter.counts().limit).toBe(32)
    limiter.adapt(30)
    expect(limiter.counts().limit).toBe(26)
    limiter.adapt(500)
    expect(limiter.counts().limit).toBe(18)
    for (let count = 0; count < 20; count++) limiter.adapt(500)
    expect(limiter.counts().limit).toBe(8)
  })

  test('behavior: stays the same while other programs delay the process', () => {
    const limiter = createLimiter({ maxSlots: 128, maxLateMs: 25, nextTurn: atOnce })
    for (let count = 0; count < 20; count++) limiter.adapt(500)
    expect(limiter.counts().limit).toBe(32)
  })

  test('behavior: grows while all are in use and the process keeps up, and waiting work begins', async () => {
    const limiter = createLimiter({ maxSlots: 40, maxLateMs: 25, nextTurn: atOnce })
    const asked = await fill(limiter)
    expect(countOf(asked, 'working')).toBe(32)
    limiter.adapt(25)
    await settle()
    expect([limiter.counts().limit, countOf(asked, 'working')]).toEqual([36, 36])
    for (let count = 0; count < 5; count++) limiter.adapt(0)
    expect(limiter.counts().limit).toBe(40)
  })

  test('behavior: stays the same while slots are free', async () => {
    const limiter = createLimiter({ maxSlots: 128, maxLateMs: 25, nextTurn: atOnce })
    ask(limiter, 'a')
    await settle()
    for (let count = 0; count < 20; count++) limiter.adapt(0)
    expect(limiter.counts().limit).toBe(32)
  })

  test('behavior: is constant without a limit on the delay', async () => {
    const limiter = createLimiter({ maxSlots: 64, maxLateMs: 0, nextTurn: atOnce })
    const asked = await fill(limiter)
    limiter.adapt(10_000)
    expect([limiter.counts().limit, countOf(asked, 'working')]).toEqual([64, 64])
  })
})

describe('turns', () => {
  /** Turns that the test ends. */
  function byHand() {
    const ends: (() => void)[] = []
    const limiter = createLimiter({ ...many, nextTurn: (run) => void ends.push(run) })
    const endTurn = async () => {
      ends.shift()!()
      await settle()
    }
    return { limiter, endTurn }
  }

  /** Asks for a slot for work that blocks the process for a while when it begins. */
  function askBusy(limiter: Limiter, caller: string, busyMs: number) {
    const asked = { state: 'waiting', leave: () => {} }
    limiter.enter(caller).then((leave) => {
      Object.assign(asked, { state: 'working', leave })
      vi.advanceTimersByTime(busyMs)
    })
    return asked
  }

  test('default: long work begins one piece per turn, however many slots are free', async () => {
    const { endTurn, limiter } = byHand()
    const asked = [askBusy(limiter, 'a', 1)]
    await settle()
    for (let count = 0; count < 3; count++) asked.push(askBusy(limiter, 'a', 1))
    await settle()
    expect(asked.map(({ state }) => state)).toEqual(['working', 'waiting', 'waiting', 'waiting'])
    await endTurn()
    expect(asked.map(({ state }) => state)).toEqual(['working', 'working', 'waiting', 'waiting'])
    asked[0]!.leave()
    await settle()
    expect(countOf(asked, 'waiting')).toBe(2)
    await endTurn()
    await endTurn()
    expect(countOf(asked, 'working')).toBe(4)
  })

  test('behavior: short work begins until a quarter of a millisecond is used', async () => {
    const { endTurn, limiter } = byHand()
    const first = askBusy(limiter, 'a', 1)
    await settle()
    const asked = Array.from({ length: 8 }, () => askBusy(limiter, 'a', 0.1))
    await settle()
    expect([first.state, countOf(asked, 'working')]).toEqual(['working', 0])
    await endTurn()
    expect(countOf(asked, 'working')).toBe(3)
    await endTurn()
    expect(countOf(asked, 'working')).toBe(6)
    await endTurn()
    expect(countOf(asked, 'working')).toBe(8)
  })

  test('behavior: after a turn without work the next work begins at once', async () => {
    const { endTurn, limiter } = byHand()
    ask(limiter, 'a')
    await endTurn()
    const second = ask(limiter, 'a')
    await settle()
    expect(second.state).toBe('working')
  })

  test('behavior: the caller with the fewest slots is next', async () => {
    const { endTurn, limiter } = byHand()
    askBusy(limiter, 'a', 1)
    await settle()
    const greedy = askBusy(limiter, 'a', 1)
    const polite = askBusy(limiter, 'b', 1)
    await endTurn()
    expect([greedy.state, polite.state]).toEqual(['waiting', 'working'])
  })

  test('behavior: the queue shrinks after long waits, and grows again', async () => {
    const { endTurn, limiter } = byHand()
    const roomOf = async () => {
      const asked = askMany(limiter, 'a', 300)
      await settle()
      const { waiting } = limiter.counts()
      // Releases all, so that the next round starts the same.
      await vi.advanceTimersByTimeAsync(1_000)
      for (const { leave } of asked) leave()
      return waiting
    }
    ask(limiter, 'x').leave()
    expect(await roomOf()).toBe(64)
    ask(limiter, 'b')
    vi.advanceTimersByTime(30)
    await endTurn()
    limiter.adapt(0)
    expect(await roomOf()).toBe(44)
    ask(limiter, 'c')
    await endTurn()
    limiter.adapt(0)
    expect(await roomOf()).toBe(50)
  })
})

test('error: refused work has a reason', async () => {
  const limiter = createLimiter({ maxSlots: 1, maxLateMs: 0, nextTurn: atOnce })
  await limiter.enter('a')
  const refused = limiter.enter('b')
  const thrown = refused.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await thrown).toBeInstanceOf(ShedError)
  expect(await thrown).toMatchObject({ name: 'ShedError', reason: 'waited' })
})
