/** What may be told of a fault. */
export type Fault = { readonly name: string; readonly stack?: string }

/**
 * The kind of a fault and where it happened. Its message stays untold: it may hold the words of others, such as a node's
 * address with its key.
 */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line))
  return { name: error.name, ...(frames && { stack: frames.join('\n') }) }
}
