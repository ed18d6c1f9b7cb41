import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const sameRequests = 'it sends a node no request that other suites do not send'
/** Suites that need not run on more than one make of node, and why. */
export const onOneMake = {
  bins: sameRequests,
  examples: sameRequests,
  fork: 'a fork is an Anvil node',
  holdAnswers: sameRequests,
  integrating: sameRequests,
  mcp: sameRequests,
  mutations: sameRequests,
  mutationsExecuted: sameRequests,
  oneSchema: sameRequests,
  openapi: sameRequests,
  openapiClients: sameRequests,
  symbols: sameRequests,
}

/**
 * Prints which end-to-end suites are left out, and returns the files of the others.
 *
 * @param {string} node Name of the make of node, for the message.
 * @param {Readonly<Record<string, string>>} leftOut Suites without `.test.ts`, and why each does not run.
 * @throws if there is no such suite.
 */
export function listSuites(node, leftOut) {
  for (const name of Object.keys(leftOut))
    if (!existsSync(join(root, `e2e/${name}.test.ts`)))
      throw new Error(`There is no suite ${name} to leave out on ${node}.`)
  console.log(`These suites do not run on ${node}:`)
  for (const [name, reason] of Object.entries(leftOut)) console.log(`  ${name}: ${reason}.`)
  return readdirSync(join(root, 'e2e'))
    .filter((file) => file.endsWith('.test.ts') && !(file.slice(0, -8) in leftOut))
    .map((file) => `e2e/${file}`)
}
