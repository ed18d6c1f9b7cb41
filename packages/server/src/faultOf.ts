/** The parts of an error that may be logged. */
export type Fault = { readonly name: string; readonly stack?: string }

/**
 * Returns an error's name and stack frames without its message. The message may contain secrets, such as a node URL
 * with its key.
 */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line))
  return { name: error.name, ...(frames && { stack: frames.join('\n') }) }
}
