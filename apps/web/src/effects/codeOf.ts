/** The innermost `code` and `data` that a wallet or node gave. */
export function codeOf(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Object; cause = (cause as { cause?: unknown }).cause) {
    const { code } = cause as { code?: unknown }
    if (typeof code === 'number') return code
  }
  return undefined
}
