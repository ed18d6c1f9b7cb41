import { z } from 'zod'
import { type Description, largeBodyBytes } from './Operation.js'

const mcpMessage = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.number(), z.string(), z.null()]).optional(),
    method: z.string().optional().describe('Method of a request or a notification.'),
    params: z.looseObject({}).optional(),
  })
  .describe('A JSON-RPC message.')

/** The service as tools for agents. */
export const toolOperations = {
  postMcp: {
    summary: 'The API as tools for agents: Model Context Protocol over HTTP',
    description:
      'Additive. One JSON-RPC message of MCP, revision 2026-07-28 or earlier; stateless, read-only, no key. The response is JSON or server-sent events, depending on `Accept` and the revision. A request whose Host or Origin is not this service gets 403 and a JSON-RPC error. `tools/list` has the schemas of the tools.',
    body: mcpMessage,
    success: { schema: mcpMessage, mayStream: true },
    errors: [],
    tag: 'registry',
    points: 5,
    isWork: true,
    maxBodyBytes: largeBodyBytes,
  },
} as const satisfies Record<string, Description>
