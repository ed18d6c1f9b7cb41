import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { boundResult, type Cut, omitted } from './boundResult.js'
import { failureOf } from './ToolError.js'
import { plainJson } from './untrusted.js'

export type Tool = { readonly register: (server: McpServer, name: string) => void }

/** Defines a read-only tool whose result is checked against its schema, and is never longer than `maxResultLength`. */
export function defineTool<input extends z.ZodObject, output extends z.ZodObject>(definition: {
  title: string
  description: string
  input: input
  output: output
  /** Whether the result depends on more than the request: on a chain or on the service's state. */
  isOpenWorld: boolean
  /** What to leave out of a result that is too long, in this order. @default nothing: such a result is an error */
  cuts?: readonly Cut[]
  run: (input: z.output<input>, signal: AbortSignal) => Promise<unknown>
}): Tool {
  const { cuts = [], description, input, isOpenWorld, output, run, title } = definition
  const bounded = cuts.length === 0 ? output : output.extend({ omitted: omitted.optional() })
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: isOpenWorld,
  }
  const config = { title, description, inputSchema: input, outputSchema: bounded, annotations }
  const register = (server: McpServer, name: string) =>
    void server.registerTool<z.ZodObject, z.ZodObject>(name, config, async (given, context) => {
      try {
        const result = await run(given as z.output<input>, context.mcpReq.signal)
        return succeed(boundResult(bounded.parse(plainJson(result)), cuts))
      } catch (error) {
        return fail(error)
      }
    })
  return { register }
}

function succeed(structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

function fail(error: unknown): CallToolResult {
  const text = JSON.stringify(plainJson({ ok: false, ...failureOf(error) }))
  return { content: [{ type: 'text', text }], isError: true }
}
