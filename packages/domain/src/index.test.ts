import { expect, test } from 'vitest'
import * as domain from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(domain).sort()).toEqual([
    'Addresses',
    'Amounts',
    'BaseError',
    'Chains',
    'DecodedQuote',
    'Deployments',
    'Minimum',
    'Plan',
    'PlanCall',
    'PlanChecks',
    'Preparation',
    'PreparedRequest',
    'Quote',
    'QuoteRequest',
    'Refusal',
    'Registry',
    'SwapCall',
    'Tokens',
  ])
})
