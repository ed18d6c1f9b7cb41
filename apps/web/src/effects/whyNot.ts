import { late } from './parts.js'

export const notLoaded = 'A part of this page could not be loaded.'

/** Why a wallet did not do what it was asked, and that nothing came of it. */
export async function whyNot(error: unknown, nothing: string): Promise<string> {
  const part = await late.load().catch(() => undefined)
  if (part === undefined) return `${notLoaded} ${nothing}`
  return await part.walletWords(error, nothing)
}
