import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurns } from './createTurns.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A socket that records whether it is read; `createTurns` needs nothing else. */
function fakeSocket() {
  const socket = { isRead: false, destroyed: false, resume: () => {} }
  socket.resume = () => void Object.assign(socket, { isRead: true })
  return socket
}

function open(asksMuch: (address: string) => boolean = () => false) {
  const turns = createTurns(asksMuch)
  const arrive = (count: number, address = 'a') => {
    const sockets = Array.from({ length: count }, fakeSocket)
    for (const socket of sockets) turns.take(socket as unknown as Socket, address)
    return { sockets, read: () => sockets.filter(({ isRead }) => isRead).length }
  }
  return Object.assign(arrive, { delay: turns.delay, stop: turns.stop })
}

test('default: reads 32 connections of an address at once, and 32 more every 10 ms', () => {
  const { read } = open()(80)
  expect(read()).toBe(32)
  vi.advanceTimersByTime(9)
  expect(read()).toBe(32)
  vi.advanceTimersByTime(1)
  expect(read()).toBe(64)
  vi.advanceTimersByTime(10)
  expect(read()).toBe(80)
})

test('behavior: reads connections in the order of their arrival', () => {
  const { sockets } = open()(64)
  expect(sockets.slice(0, 32).every(({ isRead }) => isRead)).toBe(true)
  vi.advanceTimersByTime(10)
  expect(sockets.every(({ isRead }) => isRead)).toBe(true)
})

test('behavior: a crowd of one address does not delay others', () => {
  const arrive = open()
  arrive(1_000)
  expect(arrive(1, 'b').read()).toBe(1)
})

test('behavior: one at a time while earlier connections of the address have pipelined a lot', () => {
  let isMuch = true
  const arrive = open((address) => isMuch && address === 'a')
  const { read } = arrive(40)
  expect([read(), arrive(40, 'b').read()]).toEqual([1, 32])
  vi.advanceTimersByTime(10)
  expect(read()).toBe(2)
  isMuch = false
  vi.advanceTimersByTime(10)
  expect(read()).toBe(34)
})

test('behavior: new connections queue behind waiting ones', () => {
  const arrive = open()
  arrive(40)
  const late = arrive(1)
  expect(late.read()).toBe(0)
  vi.advanceTimersByTime(10)
  expect(late.read()).toBe(1)
})

test('behavior: skips closed connections', () => {
  const arrive = open()
  const { read, sockets } = arrive(80)
  for (const socket of sockets.slice(32, 64)) socket.destroyed = true
  vi.advanceTimersByTime(10)
  expect(read()).toBe(48)
})

test('behavior: after a pause an address has its full share again, and no timer runs', () => {
  const arrive = open()
  arrive(32)
  vi.advanceTimersByTime(10)
  expect(vi.getTimerCount()).toBe(0)
  expect(arrive(32).read()).toBe(32)
})

describe('delays', () => {
  test('behavior: delays the next connection of the address, and no other', () => {
    const arrive = open()
    arrive.delay('a', 100)
    const [late, other] = [arrive(2), arrive(2, 'b')]
    vi.advanceTimersByTime(99)
    expect([late.read(), other.read()]).toEqual([0, 2])
    vi.advanceTimersByTime(1)
    expect(late.read()).toBe(1)
    vi.advanceTimersByTime(10)
    expect(late.read()).toBe(2)
  })

  test('behavior: delays add up to at most a second', () => {
    const arrive = open()
    for (let count = 0; count < 3; count++) arrive.delay('a', 100)
    const late = arrive(1)
    vi.advanceTimersByTime(290)
    expect(late.read()).toBe(0)
    vi.advanceTimersByTime(10)
    expect(late.read()).toBe(1)
    arrive.delay('a', 60_000)
    const later = arrive(1)
    vi.advanceTimersByTime(1_000)
    expect(later.read()).toBe(1)
  })

  test('behavior: ten seconds after a delay an address counts as any other', () => {
    const arrive = open()
    arrive.delay('a', 100)
    vi.advanceTimersByTime(10_090)
    expect(arrive(40).read()).toBe(1)
    vi.advanceTimersByTime(10)
    expect(arrive(32, 'b').read()).toBe(32)
    vi.advanceTimersByTime(1_000)
    expect(arrive(32).read()).toBe(32)
  })

  test('behavior: starts nothing after `stop`', () => {
    const arrive = open()
    const { read } = arrive(40)
    arrive.stop()
    vi.advanceTimersByTime(1_000)
    expect([read(), vi.getTimerCount()]).toEqual([32, 0])
  })
})
