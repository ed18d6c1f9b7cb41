import { expect, test } from 'vitest'
import * as engine from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(engine).sort()).toEqual([
    'QuoteError',
    'askNodeAt',
    'createEngine',
    'createShared',
    'followPools',
    'isLocal',
    'marketKinds',
    'maxHints',
    'openPoolStore',
    'openSwapStore',
    'proposeConnectors',
  ])
})
