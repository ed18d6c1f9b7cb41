import {
  createOpenapi,
  examples,
  parameterNames,
  quoteParameters,
  type StatsResponse,
  statsResponse,
  type XrayResponse,
  xrayParameters,
} from '@sluice/api'
import { commands, flagOf, quoteFlags } from '@sluice/cli'
import type { getStats, getXray, QuoteParameters } from '@sluice/sdk'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { quoteInput } from '../packages/mcp/src/inputs.js'
import { connect } from '../packages/mcp/test/connect.js'

type Input = z.input<typeof quoteParameters>
type OptionalNames<type> = {
  [name in keyof type]-?: undefined extends type[name] ? name : never
}[keyof type]

/** The API's schema of each parameter. */
const api = parameterNames.map((name) => {
  const schema = quoteParameters.shape[name]
  return {
    name,
    isRequired: !schema.safeParse(undefined).success,
    description: schema.description,
  }
})

test('default: every parameter has a description', () => {
  expect(Object.keys(quoteParameters.shape)).toEqual(parameterNames)
  expect(api.filter(({ description }) => !description)).toEqual([])
})

describe('the OpenAPI document', () => {
  const { paths } = createOpenapi({ url: 'http://127.0.0.1:8080', examples }) as unknown as {
    paths: Record<string, { get: { parameters: Parameter[] } }>
  }

  test.each(['/api/quote', '/api/quote/prepare'])('default: %s accepts all parameters', (path) => {
    const { parameters } = paths[path]!.get
    expect(
      parameters.map(({ description, in: place, name, required, schema }) => ({
        name,
        isRequired: required ?? false,
        description: description ?? schema.description,
        place,
      })),
    ).toEqual(api.map((parameter) => ({ ...parameter, place: 'query' })))
  })

  test('default: contains the patterns and ranges of the schema', () => {
    for (const { name, schema } of paths['/api/quote']!.get.parameters) {
      if (schema['type'] === 'integer') {
        const accepts = (value: number) => quoteParameters.shape[name].safeParse(`${value}`).success
        const [min, max] = [Number(schema['minimum']), Number(schema['maximum'])]
        expect([name, [min - 1, min, max, max + 1].map(accepts)]).toEqual([
          name,
          [false, true, true, false],
        ])
        continue
      }
      const { description: _, ...expected } = quoteParameters.shape[name].toJSONSchema() as Schema
      const { description: __, ...given } = schema
      expect(given, name).toMatchObject(comparable(expected))
    }
  })
})

test('default: the MCP tools accept all parameters, and the amount with its unit', () => {
  const schema = quoteInput.toJSONSchema({ io: 'input' }) as {
    properties: Record<string, Schema>
    required: string[]
    additionalProperties: boolean
  }
  const { amount, amountSide, amountUnit, ...properties } = schema.properties
  const others = api.filter(({ name }) => !['amountIn', 'amountOut'].includes(name))
  const named = Object.entries(properties).map(([name, { description }]) => ({
    name,
    isRequired: schema.required.includes(name),
    description,
  }))
  expect(named).toEqual(others)
  for (const each of [amount, amountSide, amountUnit]) expect(each).toEqual(expect.any(Object))
  expect(schema.required).toEqual(expect.arrayContaining(['amount', 'amountUnit']))
  expect(schema.additionalProperties).toBe(false)
})

test('default: the command line has a flag for each parameter', () => {
  const flags = Object.entries(quoteFlags).map(([name, { help, isRequired }]) => ({
    name,
    isRequired,
    description: help,
  }))
  const expected = api.map(({ description, isRequired, name }) => ({
    name: flagOf(name),
    isRequired,
    description: expect.stringContaining(description!),
  }))
  expect(flags).toEqual(expected)
})

test('default: the SDK types have all parameters, and the same ones are optional', () => {
  expectTypeOf<keyof QuoteParameters>().toEqualTypeOf<keyof Input>()
  expectTypeOf<OptionalNames<QuoteParameters>>().toEqualTypeOf<OptionalNames<Input>>()
})

describe('statistics', () => {
  test('default: the OpenAPI document, the tool and the SDK have the same schema', async () => {
    const { components } = createOpenapi({ url: 'http://127.0.0.1:8080', examples })
    const described = components.schemas['Stats'] as Schema
    const expected = shapeOf(statsResponse.toJSONSchema() as Schema)
    expect(shapeOf(described)).toEqual(expected)
    const { client } = await connect({ '/api/stats': examples['getStats']!.response })
    const { tools } = await client.listTools()
    const tool = tools.find(({ name }) => name === 'get_stats')!
    expect(shapeOf(tool.outputSchema as Schema)).toEqual(expected)
    const { structuredContent } = await client.callTool({ name: 'get_stats', arguments: {} })
    await client.close()
    expect(structuredContent).toEqual(examples['getStats']!.response)
    expectTypeOf<Awaited<ReturnType<typeof getStats>>>().toEqualTypeOf<StatsResponse>()
  })
})

/** Returns every member of a schema by its path, with its type. */
function shapeOf(schema: Schema, path = ''): Record<string, unknown> {
  const {
    enum: names,
    properties,
    items,
    required,
    type,
  } = schema as Schema & {
    properties?: Record<string, Schema>
    items?: Schema
  }
  const options = (schema['anyOf'] as Schema[] | undefined) ?? []
  return Object.assign(
    { [path]: { type, names, required } },
    ...Object.entries(properties ?? {}).map(([name, each]) => shapeOf(each, `${path}.${name}`)),
    ...(items === undefined ? [] : [shapeOf(items, `${path}[]`)]),
    ...options.map((each, index) => shapeOf(each, `${path}|${index}`)),
  )
}

describe('xray', () => {
  const expected = Object.entries(xrayParameters.shape).map(([name, { description }]) => ({
    name,
    isRequired: true,
    description,
  }))

  test('default: the OpenAPI document, the command line and the tool have the same parameters', async () => {
    const { paths } = createOpenapi({ url: 'http://127.0.0.1:8080', examples }) as unknown as {
      paths: Record<string, { get: { parameters: Parameter[] } }>
    }
    const described = paths['/api/xray']!.get.parameters.map(({ description, name, required }) => ({
      name,
      isRequired: required ?? false,
      description,
    }))
    expect(described).toEqual(expected)

    const flags = Object.entries(commands['xray']!.flags).map(([name, { help, isRequired }]) => ({
      name,
      isRequired: isRequired ?? false,
      description: help,
    }))
    expect(flags).toEqual(expected)

    const { client } = await connect({})
    const { tools } = await client.listTools()
    await client.close()
    const { inputSchema } = tools.find(({ name }) => name === 'xray_token')!
    const properties = Object.entries(inputSchema.properties as Record<string, Schema>)
    const taken = properties.map(([name, { description }]) => ({
      name,
      isRequired: inputSchema.required?.includes(name) ?? false,
      description,
    }))
    expect(taken).toEqual(expected)
  })

  test('default: the SDK type has all parameters', () => {
    type Asked = Parameters<typeof getXray>[1]
    expectTypeOf<keyof Asked>().toEqualTypeOf<keyof z.input<typeof xrayParameters>>()
    expectTypeOf<Awaited<ReturnType<typeof getXray>>>().toEqualTypeOf<XrayResponse>()
  })
})

type Schema = Record<string, unknown> & { description?: string }
type Parameter = {
  name: (typeof parameterNames)[number]
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

/** Returns the members that must be equal in both JSON schemas. */
function comparable(schema: Schema) {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => ['type', 'pattern', 'enum', 'const'].includes(name)),
  )
}
