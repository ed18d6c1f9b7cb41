import { expect, test } from 'vitest'
import * as engine from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(engine).sort()).toEqual([
    'BadTokenListError',
    'MarketDataError',
    'NewerSchemaError',
    'QuoteError',
    'askNodeAt',
    'createChainState',
    'createEngine',
    'createHints',
    'createShared',
    'followPools',
    'isLocal',
    'logoFolder',
    'marketKinds',
    'membersOf',
    'minDepthUsd',
    'openPoolStore',
    'openSwapStore',
    'parseTokenList',
    'sureOut',
    'within',
    'xrayKeptMs',
    'xrayToleranceBps',
  ])
})
