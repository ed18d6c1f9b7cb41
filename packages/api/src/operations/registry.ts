import { z } from 'zod'
import {
  abiListResponse,
  abiParameters,
  abiResponse,
  deploymentsParameters,
  deploymentsResponse,
  discoveryResponse,
  manifestResponse,
} from '../registry.js'
import { healthResponse } from '../responses.js'
import type { Description } from './Operation.js'

/** What the service is, and where the contracts stand. */
export const registryOperations = {
  getDeployments: {
    summary: 'Addresses of the contracts, by generation and chain',
    query: deploymentsParameters,
    success: { schema: deploymentsResponse },
    errors: ['bad_chain', 'bad_version', 'bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'deployments', query: 'chain=base&version=1.0.0' },
  },
  getAbi: {
    summary: 'ABIs, generated from the contract sources',
    query: abiParameters,
    success: { schema: z.union([abiResponse, abiListResponse]) },
    errors: ['bad_contract', 'bad_version', 'bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'abi', query: 'contract=quoter' },
  },
  getManifest: {
    summary: 'Chains, contracts, the protocol token and event topics',
    success: { schema: manifestResponse },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'manifest' },
  },
  getDiscovery: {
    summary: 'Index of the endpoints',
    success: { schema: discoveryResponse },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
  },
  getHealth: {
    summary: 'Liveness, and the state of each chain; from memory alone',
    success: { schema: healthResponse },
    errors: [],
    tag: 'registry',
    points: 0,
    isWork: false,
    discovery: { name: 'health', note: 'From memory alone; poll it freely.' },
  },
  getOpenapi: {
    summary: 'This OpenAPI document',
    success: { schema: z.looseObject({ openapi: z.string() }) },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'openapi' },
  },
  getLlms: {
    summary: 'Integration guide for agents',
    success: { mediaType: 'text/plain' },
    errors: ['bad_param'],
    tag: 'registry',
    points: 1,
    isWork: false,
    discovery: { name: 'llms' },
  },
} as const satisfies Record<string, Description>
