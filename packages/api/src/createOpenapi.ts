import { QuoteParameters } from '@sluice/domain'
import { z } from 'zod'
import { ApiError, encodeError } from './ApiError.js'
import { type Code, codes } from './codes.js'
import { serviceName, serviceVersion } from './encodeManifest.js'
import type { Operation } from './operations/Operation.js'
import { components, operations } from './operations/operations.js'

/** Recorded responses by operation id, with `request` if the operation takes a body. */
export type Examples = {
  readonly [id: string]: { readonly request?: unknown; readonly response: unknown }
}

type Schema = Record<string, unknown>

/** Codes that every path can respond with. */
const everywhere: readonly Code[] = [
  'bad_request',
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal',
]

/** Creates the OpenAPI 3.1 document from the schemas that validate requests and encode responses. */
export function createOpenapi(options: { examples: Examples; url: string }) {
  const { examples, url } = options
  return {
    openapi: '3.1.1',
    info: {
      title: `${serviceName} API`,
      version: serviceVersion,
      summary: 'DEX aggregator: quotes that anyone can repeat with one eth_call.',
      description: [
        'No key, no signup, open CORS. Amounts are integers in base units, as decimal strings.',
        'Every error is `{ok: false, code, error}`; branch on `code`. New members and codes may be added; existing ones are never renamed.',
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url, description: 'This service' },
      { url: 'http://127.0.0.1:8080', description: 'The devnet that `npm start` runs' },
    ],
    tags,
    paths: pathsOf(examples),
    components: { schemas: schemas() },
  }
}

const tags = [
  { name: 'quote', description: 'Quotes that the service computes on its nodes.' },
  { name: 'verify', description: 'Quotes that your own node computes. The service asks no node.' },
  { name: 'registry', description: 'Contracts, ABIs, reports and the service itself.' },
]

function pathsOf(examples: Examples): Record<string, Schema> {
  const paths: Record<string, Schema> = {}
  for (const operation of operations) {
    const entry = operationOf(operation, examples[operation.id])
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: entry }
  }
  return paths
}

function operationOf(operation: Operation, example: Examples[string] | undefined): Schema {
  const { body, description, id, query, summary } = operation
  return {
    operationId: id,
    tags: [operation.tag],
    summary,
    ...(description !== undefined && { description }),
    // No operation needs authentication.
    security: [],
    ...(query && { parameters: parametersOf(query) }),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: toSchema(body), ...exampleOf(example?.request) },
        },
      },
    }),
    responses: { 200: successOf(operation, example), ...errorsOf(operation) },
  }
}

function successOf({ success, summary }: Operation, example: Examples[string] | undefined): Schema {
  const content =
    'mediaType' in success
      ? { [success.mediaType]: { schema: { type: 'string' } } }
      : {
          'application/json': {
            schema: toSchema(success.schema),
            ...exampleOf(example?.response),
          },
          ...(success.mayStream && { 'text/event-stream': { schema: { type: 'string' } } }),
        }
  return { description: summary, content }
}

function exampleOf(value: unknown): Schema {
  return value === undefined ? {} : { example: value }
}

/** One response per HTTP status, with an example for each code. */
function errorsOf({ body, errors }: Operation): Record<string, Schema> {
  const all = new Set([...errors, ...everywhere])
  const statuses = new Set([...all].map((code) => codes[code].status))
  const entries = [...statuses].sort().map((status): [string, Schema] => {
    const ours = [...all].filter((code) => codes[code].status === status)
    return [String(status), errorAnswer(ours)]
  })
  if (body !== undefined) entries.push(['415', errorAnswer(['bad_body'])])
  return Object.fromEntries(entries)
}

function errorAnswer(ours: readonly Code[]): Schema {
  const examples = ours.map((code): [string, Schema] => [
    code,
    {
      summary: codes[code].meaning,
      value: encodeError(new ApiError(code, codes[code].meaning)),
    },
  ])
  return {
    description: ours.map((code) => `\`${code}\``).join(', '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

function parametersOf(query: z.ZodObject): Schema[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...text } = property as Schema
    const schema = integerOf(name) ?? text
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

/** Schema of a query parameter that holds an integer, with its limits. The zod schema only knows that it is a string. */
function integerOf(name: string): Schema | undefined {
  if (!Object.hasOwn(QuoteParameters.integerRanges, name)) return undefined
  const { max, min } =
    QuoteParameters.integerRanges[name as keyof typeof QuoteParameters.integerRanges]
  return { type: 'integer', minimum: min, maximum: max }
}

/** JSON schema of a zod schema; a reference if it is a named component. Uses input mode, which allows additional members. */
function toSchema(schema: z.ZodType): Schema {
  const name = Object.entries(components).find(([, component]) => component === schema)?.[0]
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  if (schema instanceof z.ZodUnion)
    return { anyOf: (schema.options as z.ZodType[]).map((option) => toSchema(option)) }
  return withoutDialect(z.toJSONSchema(schema, { io: 'input' }))
}

function schemas(): Record<string, Schema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `#/components/schemas/${id}`,
  }).schemas
  return Object.fromEntries(
    Object.entries(made).map(([id, schema]) => [id, withoutDialect(schema)]),
  )
}

/** Removes the dialect and the id, which belong to the whole document and confuse generators inside it. */
function withoutDialect(schema: object): Schema {
  const { $id, $schema, id, ...rest } = schema as Schema
  return rest
}
