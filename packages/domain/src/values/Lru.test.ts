import { describe, expect, test } from 'vitest'
import * as Lru from './Lru.js'

describe('Lru.create', () => {
  test('default: keeps at most `limit` entries', () => {
    const lru = Lru.create<string, number>(2)
    lru.put('a', 1)
    lru.put('b', 2)
    lru.put('c', 3)
    expect(['a', 'b', 'c'].map(lru.get)).toEqual([undefined, 2, 3])
  })

  test('behavior: drops the least recently used entry', () => {
    const lru = Lru.create<string, number>(2)
    lru.put('a', 1)
    lru.put('b', 2)
    lru.get('a')
    lru.put('c', 3)
    expect(['a', 'b', 'c'].map(lru.get)).toEqual([1, undefined, 3])
    lru.put('a', 4)
    lru.put('d', 5)
    expect(['a', 'c', 'd'].map(lru.get)).toEqual([4, undefined, 5])
  })

  test('behavior: deletes one entry or all', () => {
    const lru = Lru.create<string, number>(3)
    for (const [index, key] of ['a', 'b', 'c'].entries()) lru.put(key, index)
    lru.delete('a')
    expect(['a', 'b', 'c'].map(lru.get)).toEqual([undefined, 1, 2])
    lru.clear()
    expect(['b', 'c'].map(lru.get)).toEqual([undefined, undefined])
  })
})
