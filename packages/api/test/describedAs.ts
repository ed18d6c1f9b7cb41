import { z } from 'zod'

type Json = Record<string, unknown>

/** The parts of a served OpenAPI document that are read here. */
export type Described = {
  paths: Record<string, Record<string, { responses: Record<string, { content: Content }> }>>
  components: { schemas: Record<string, Json> }
}
type Content = Record<string, { schema: Json }>

/**
 * Holds answers to a served description, from its JSON alone and not from the schemas that it was made of.
 *
 * @throws if the answer is not of the described form, or its status is not described.
 */
export function createValidator(described: Described) {
  const $defs = move(described.components.schemas) as Record<string, Json>
  const made = new Map<object, z.ZodType>()
  return (method: string, path: string, status: number, body: unknown) => {
    const answer = described.paths[path]?.[method]?.responses[status]
    if (!answer) throw new Error(`${method} ${path} ${status} is not described`)
    const { schema } = answer.content['application/json']!
    const known = made.get(schema)
    const validator = known ?? z.fromJSONSchema({ ...(move(schema) as Json), $defs })
    made.set(schema, validator)
    validator.parse(body)
  }
}

/** References to where a lone JSON schema has its definitions. */
function move(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'))
}
