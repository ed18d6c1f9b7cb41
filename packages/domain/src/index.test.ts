import { expect, test } from 'vitest'
import * as domain from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(domain).sort()).toEqual([
    'Addresses',
    'Amounts',
    'BaseError',
    'Chains',
    'Deployments',
    'Minimum',
    'Plan',
    'PlanCall',
    'Quote',
    'QuoteRequest',
    'Registry',
    'SwapCall',
    'Tokens',
  ])
})
