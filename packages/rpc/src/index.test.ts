import { expect, test } from 'vitest'
import * as rpc from './index.js'

test('default: exports the public names', () => {
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
