import { expect, test } from 'vitest'
import * as domain from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(domain).sort()).toEqual([
    'Abis',
    'Addresses',
    'Amounts',
    'BaseError',
    'Chains',
    'Deadline',
    'Decimals',
    'DecodedQuote',
    'Deployments',
    'Events',
    'Generation',
    'KnownTokens',
    'Minimum',
    'Plan',
    'PlanCall',
    'PlanChecks',
    'Preparation',
    'PreparationForm',
    'PreparedRequest',
    'Quote',
    'QuoteRequest',
    'Refusal',
    'Registry',
    'Reverts',
    'RouteDrawing',
    'Routers',
    'Solvency',
    'SwapCall',
    'Texts',
    'Tokens',
    'Undeployed',
    'Versions',
  ])
})
