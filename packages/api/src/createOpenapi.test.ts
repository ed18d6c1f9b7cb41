import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registry } from '../../domain/test/deployments.js'
import { createValidator, type Described } from '../test/describedAs.js'
import { codes } from './codes.js'
import { createOpenapi } from './createOpenapi.js'
import { examples } from './generated/examples.js'
import { givenFromItem } from './givenParameters.js'
import { components, operations } from './operations/operations.js'
import { parameterNames } from './parameters.js'
import { parseQuoteRequest } from './parseQuoteRequest.js'

const openapi = createOpenapi({ examples, url: 'http://127.0.0.1:8080' })
const described = openapi as unknown as Described
const text = JSON.stringify(openapi)

describe('createOpenapi', () => {
  test('default: lists every operation once, with the parameters of the schema', () => {
    expect(Object.keys(openapi.paths)).toEqual([...new Set(operations.map(({ path }) => path))])
    const quote = openapi.paths['/api/quote']!['get'] as { parameters: { name: string }[] }
    expect(quote.parameters.map(({ name }) => name)).toEqual(parameterNames)
    const required = quote.parameters.filter((each) => 'required' in each && each.required)
    expect(required.map(({ name }) => name)).toEqual(['chain', 'in', 'out'])
  })

  test('behavior: parameters have their limits, so that generated clients know them', () => {
    const quote = openapi.paths['/api/quote']!['get'] as {
      parameters: { name: string; schema: object }[]
    }
    const schemaOf = (name: string) => quote.parameters.find((each) => each.name === name)!.schema
    expect(schemaOf('slippageBps')).toEqual({ type: 'integer', minimum: 0, maximum: 5_000 })
    expect(schemaOf('deadlineSec')).toEqual({ type: 'integer', minimum: 10, maximum: 3_600 })
    expect(schemaOf('amountIn')).toMatchObject({ type: 'string', pattern: '^[0-9]{1,77}$' })
    expect(schemaOf('recipient')).toMatchObject({ pattern: '^0x[0-9a-fA-F]{40}$' })
  })

  test('behavior: the schema of batch items accepts exactly what the parser accepts', () => {
    const item = { chain: 'base', in: 'WETH', out: 'USDC', amountIn: '1000' }
    const good = [
      item,
      { ...item, chain: 8453, amountIn: 1_000, slippageBps: 50, deadlineSec: '60', gasPrice: 7 },
      { ...item, exact: true, version: 1, verify: '2' },
      { ...item, exact: 1, recipient: '0x00000000000000000000000000000000000000AA' },
    ]
    const bad = [
      { ...item, slippageBps: 5_001 },
      { ...item, amountIn: true },
      { ...item, foo: 1 },
      { chain: 'base' },
    ]
    for (const path of ['/api/quote/batch', '/api/quote/prepare']) {
      const body = openapi.paths[path]!['post'] as {
        requestBody: {
          content: {
            'application/json': { schema: { properties: { requests: { items: object } } } }
          }
        }
      }
      const { items } = body.requestBody.content['application/json'].schema.properties.requests
      const described = z.fromJSONSchema(items as Parameters<typeof z.fromJSONSchema>[0])
      const read = (each: object) => parseQuoteRequest(registry, givenFromItem(each))
      for (const each of good) {
        expect(described.safeParse(each).error).toBeUndefined()
        expect(() => read(each)).not.toThrow()
      }
      for (const each of bad) {
        expect([each, described.safeParse(each).success]).toEqual([each, false])
        expect(() => read(each)).toThrow()
      }
    }
  })

  test('behavior: every reference names an existing component', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(operations.length)
    for (const reference of references)
      expect(Object.keys(components)).toContain(reference.replace('#/components/schemas/', ''))
    expect(Object.keys(openapi.components.schemas)).toEqual(Object.keys(components))
  })

  test('behavior: the recorded examples match their schemas', () => {
    const validate = createValidator(described)
    const inJson = operations.filter(({ success }) => 'schema' in success)
    const withJson = inJson.filter(({ id }) => examples[id] !== undefined)
    const without = inJson.filter(({ id }) => examples[id] === undefined).map(({ id }) => id)
    expect(without).toEqual(['postSigned', 'postMcp', 'getOpenapi'])
    for (const { id, method, path } of withJson)
      validate(method.toLowerCase(), path, 200, examples[id]!.response)
  })

  test('behavior: the validator rejects invalid responses', () => {
    const validate = createValidator(described)
    const { response } = examples['getQuote']!
    const change = (changes: object) => ({ ...(response as object), ...changes })
    const check = (body: unknown) => () => validate('get', '/api/quote', 200, body)
    expect(check(response)).not.toThrow()
    expect(check(change({ amountOut: 1 }))).toThrow()
    expect(check(change({ mode: 'guess' }))).toThrow()
    expect(check(change({ route: {} }))).toThrow()
    expect(check({})).toThrow()
    // Responses may have additional members.
    expect(check(change({ added: 1 }))).not.toThrow()
  })

  test('behavior: every error code of an operation has an example under its status', () => {
    for (const { errors, method, path } of operations)
      for (const code of errors) {
        const answer = described.paths[path]![method.toLowerCase()]!.responses[codes[code].status]
        const { content } = answer as unknown as Record<
          string,
          Record<string, { examples: object }>
        >
        expect(Object.keys(content!['application/json']!.examples)).toContain(code)
      }
  })
})
