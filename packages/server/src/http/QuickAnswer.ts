/** A success that follows from the query alone. */
export type QuickAnswer = {
  readonly text: string
  /** Of the text in UTF-8. */
  readonly bytes: number
  readonly cacheControl: string
}

/** Answers a query as it was sent; `undefined` where there is more to it. */
export type QuickRoute = (query: string) => QuickAnswer | undefined
