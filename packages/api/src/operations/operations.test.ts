import { Endpoints } from '@sluice/domain'
import { describe, expect, test } from 'vitest'
import { operationAt, operations } from './operations.js'

describe('operations', () => {
  test('default: lists every endpoint once, in the order of `Endpoints`', () => {
    expect(operations.map(({ id }) => id)).toEqual(Object.keys(Endpoints.all))
    const places = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(places).size).toBe(places.length)
  })

  test('behavior: operations on one path cost the same', () => {
    for (const { isWork, path, points } of operations)
      expect(operationAt(path)).toMatchObject({ isWork, points })
  })

  test('behavior: operations that ask nodes or compute take a slot, and documents do not', () => {
    const work = operations.filter(({ isWork }) => isWork).map(({ path }) => path)
    expect([...new Set(work)]).toEqual([
      '/api/quote',
      '/api/quote/stream',
      '/api/quote/route.svg',
      '/api/quote/batch',
      '/api/quote/prepare',
      '/api/quote/signed',
      '/api/quote/decode',
      '/api/sources',
      '/api/tokens',
      '/api/price',
      '/api/stats',
      '/api/solvency',
      '/solvency',
      '/api/xray',
      '/mcp',
    ])
  })

  test('behavior: health is free, and operations that ask nodes cost more than a document', () => {
    const dear = operations.filter(({ points }) => points !== 1)
    expect(Object.fromEntries(dear.map(({ points, path }) => [path, points]))).toEqual({
      '/api/quote': 5,
      '/api/quote/stream': 5,
      '/api/quote/route.svg': 5,
      '/api/quote/batch': 5,
      '/api/sources': 5,
      '/api/tokens': 5,
      '/api/price': 5,
      '/api/health': 0,
      '/api/xray': 10,
      '/mcp': 5,
    })
  })

  test('behavior: a name on a surface belongs to one operation', () => {
    const names = operations.flatMap(({ surfaces = {} }) =>
      Object.entries(surfaces).map(([surface, name]) => `${surface} ${name}`),
    )
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('error: an unknown path has no operation', () => {
    expect(operationAt('/api/quote/')).toBeUndefined()
  })
})
