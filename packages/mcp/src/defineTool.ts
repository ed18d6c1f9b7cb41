import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { failureOf } from './ToolError.js'
import { plainJson } from './untrusted.js'

export type Tool = { readonly register: (server: McpServer, name: string) => void }

/** Defines a read-only tool whose result is checked against its schema. */
export function defineTool<input extends z.ZodObject, output extends z.ZodObject>(definition: {
  title: string
  description: string
  input: input
  output: output
  /** Whether the result depends on more than the request: on a chain or on the service's state. */
  isOpenWorld: boolean
  run: (input: z.output<input>, signal: AbortSignal) => Promise<unknown>
}): Tool {
  const { description, input, isOpenWorld, output, run, title } = definition
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: isOpenWorld,
  }
  const config = { title, description, inputSchema: input, outputSchema: output, annotations }
  const register = (server: McpServer, name: string) =>
    void server.registerTool<output, z.ZodObject>(name, config, async (given, context) => {
      try {
        const result = await run(given as z.output<input>, context.mcpReq.signal)
        return succeed(output.parse(plainJson(result)))
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
