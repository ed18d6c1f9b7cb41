/** An answer that needs no more than its query. */
export type QuickAnswer = { readonly text: string; readonly cacheControl: string }
