import { createValidator, type Described } from '../packages/api/test/describedAs.js'

/** Holds answers of a running service to the interface description that it serves itself. */
export async function openValidator(
  serverUrl: string,
): Promise<ReturnType<typeof createValidator>> {
  const answer = await fetch(`${serverUrl}/api/openapi.json`)
  return createValidator((await answer.json()) as Described)
}
