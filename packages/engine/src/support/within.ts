/** Returns the value of a promise, or `undefined` after `ms` milliseconds. */
export async function within<value>(
  ms: number,
  promise: Promise<value>,
): Promise<value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
