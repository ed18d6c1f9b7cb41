import { describe, expect, test } from 'vitest'
import { createValidator, type Described } from '../test/describedAs.js'
import { codes } from './codes.js'
import { createOpenapi } from './createOpenapi.js'
import { examples } from './generated/examples.js'
import { components, operations } from './operations.js'
import { parameterNames } from './parameters.js'

const openapi = createOpenapi({ examples, url: 'http://127.0.0.1:8080' })
const described = openapi as unknown as Described
const text = JSON.stringify(openapi)

describe('createOpenapi', () => {
  test('default: every operation once, with the parameters of the schema', () => {
    expect(Object.keys(openapi.paths)).toEqual([...new Set(operations.map(({ path }) => path))])
    const quote = openapi.paths['/api/quote']!['get'] as { parameters: { name: string }[] }
    expect(quote.parameters.map(({ name }) => name)).toEqual(parameterNames)
    const required = quote.parameters.filter((each) => 'required' in each && each.required)
    expect(required.map(({ name }) => name)).toEqual(['chain', 'in', 'out', 'amountIn'])
  })

  test('behavior: components are named once and every reference leads to one', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference!)
    expect(references.length).toBeGreaterThan(operations.length)
    for (const reference of references)
      expect(Object.keys(components)).toContain(reference.replace('#/components/schemas/', ''))
    expect(Object.keys(openapi.components.schemas)).toEqual(Object.keys(components))
  })

  test('behavior: the recorded examples are of the described form', () => {
    const validate = createValidator(described)
    const withJson = operations.filter(({ id }) => examples[id] !== undefined)
    expect(withJson.length).toBe(operations.length - 6)
    for (const { id, method, path } of withJson) validate(method, path, 200, examples[id]!.response)
  })

  test('behavior: the validator can refuse', () => {
    const validate = createValidator(described)
    const { response } = examples['getQuote']!
    const change = (changes: object) => ({ ...(response as object), ...changes })
    const check = (body: unknown) => () => validate('get', '/api/quote', 200, body)
    expect(check(response)).not.toThrow()
    expect(check(change({ amountOut: 1 }))).toThrow()
    expect(check(change({ mode: 'guess' }))).toThrow()
    expect(check(change({ route: {} }))).toThrow()
    expect(check({})).toThrow()
    // Members may be added.
    expect(check(change({ added: 1 }))).not.toThrow()
  })

  test('behavior: every code of an operation has an example in its status', () => {
    for (const { errors, method, path } of operations)
      for (const code of errors) {
        const answer = described.paths[path]![method]!.responses[codes[code].status]
        const { content } = answer as unknown as Record<
          string,
          Record<string, { examples: object }>
        >
        expect(Object.keys(content!['application/json']!.examples)).toContain(code)
      }
  })
})
