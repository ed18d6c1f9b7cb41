import { z } from 'zod'

type Json = Record<string, unknown>

/** The members of an OpenAPI document that the validator reads. */
export type Described = {
  paths: Record<string, Record<string, { responses: Record<string, { content: Content }> }>>
  components: { schemas: Record<string, Json> }
}
type Content = Record<string, { schema: Json }>

/**
 * Creates a function that validates responses against an OpenAPI document. It uses only the JSON of the document, not the zod
 * schemas behind it, and throws if a response does not match or its status is not described.
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

/** Rewrites references to the place where a stand-alone JSON schema has its definitions. */
function move(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'))
}
