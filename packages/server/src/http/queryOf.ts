/** The query of a URL as it was sent, without parsing the rest of it. */
export function queryText(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(queryText(url))
}
