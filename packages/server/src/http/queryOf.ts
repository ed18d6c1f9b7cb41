/** Returns the raw query of a URL without parsing the rest. */
export function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(queryText(url))
}
