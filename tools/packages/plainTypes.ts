import type { z } from 'zod'

type JsonSchema = {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  additionalProperties?: boolean | JsonSchema
  required?: readonly string[]
  description?: string
  readOnly?: boolean
}

/**
 * Converts a schema's output to a TypeScript type that refers to no other types.
 *
 * Optional members also accept `undefined`, like the type that zod infers.
 *
 * @throws if the schema uses a type that this function does not support.
 */
export function plainType(schema: z.ZodType): string {
  return print(schema.toJSONSchema({ io: 'output' }) as JsonSchema, '')
}

function print(schema: JsonSchema, indent: string): string {
  const { anyOf, items } = schema
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map((each) => print(each, indent)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => print({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${schema.readOnly ? 'readonly ' : ''}(${items ? print(items, indent) : 'unknown'})[]`
    case 'object': {
      const object = printObject(schema, indent)
      return schema.readOnly ? `Readonly<${object}>` : object
    }
    case undefined:
      return 'unknown'
    default:
      throw new Error(`plainType does not support the JSON schema type ${schema.type}.`)
  }
}

function printObject(schema: JsonSchema, indent: string): string {
  const { additionalProperties: others, properties = {}, required = [] } = schema
  const inner = `${indent}  `
  const members = Object.entries(properties).map(([name, member]) => {
    const isRequired = required.includes(name)
    const comment = member.description ? `${inner}/** ${member.description} */\n` : ''
    const type = print(member, inner)
    return `${comment}${inner}${JSON.stringify(name)}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : ' | undefined'}`
  })
  const isMap = typeof others === 'object' && Object.keys(others).length > 0
  if (isMap) members.push(`${inner}[name: string]: ${print(others, inner)}`)
  else if (members.length === 0) return '{ [name: string]: unknown }'
  return `{\n${members.join('\n')}\n${indent}}`
}
