import { expect, test } from 'vitest'
import * as rpc from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(rpc).sort()).toEqual([
    'Standing',
    'callBatch',
    'classify',
    'createBudget',
    'createClient',
    'createHedging',
    'createUpstream',
    'ethCalls',
    'failures',
    'isAnswer',
    'isNodesFault',
    'noteChain',
    'race',
    'rankUpstreams',
    'soundUpstreams',
    'tryDemoted',
  ])
})
