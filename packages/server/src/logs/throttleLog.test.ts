import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLogThrottle } from './throttleLog.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function recorded() {
  const throttle = createLogThrottle()
  const lines: string[] = []
  const note = (cause: string) =>
    throttle.write(cause, ({ leftOut = 0 }) => lines.push(`${cause} ${leftOut}`))
  return { lines, note, throttle }
}

test('default: the first line of a cause at once, then one every ten seconds with the number omitted', () => {
  const { lines, note } = recorded()
  for (let count = 0; count < 1_000; count++) note('node')
  note('store')
  expect(lines).toEqual(['node 0', 'store 0'])
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual(['node 0', 'store 0', 'node 999'])
  note('store')
  expect(lines.at(-1)).toBe('store 0')
  note('node')
  vi.advanceTimersByTime(10_000)
  expect(lines.at(-1)).toBe('node 1')
  vi.advanceTimersByTime(20_000)
  expect(lines).toHaveLength(5)
})

test('behavior: `stop` writes the number omitted', () => {
  const { lines, note, throttle } = recorded()
  for (let count = 0; count < 3; count++) note('node')
  throttle.stop()
  expect(lines).toEqual(['node 0', 'node 2'])
})

test('behavior: excess causes share a line', () => {
  const { lines, note } = recorded()
  for (let count = 0; count < 1_000; count++) note(`made up ${count}`)
  expect(lines).toHaveLength(201)
})
