/** The protocol's versions, oldest first. */
export const all = ['1.0.0', '2.0.0'] as const
export type Version = (typeof all)[number]

/** What they are called in a request: the whole version, or its generation alone. */
export const names = ['1', '1.0.0', '2', '2.0.0'] as const

/** The version that is served and deployed if none is asked for. */
export const defaultVersion: Version = '1.0.0'

/** The version that a text means: "2.0.0", or "2" for the one of that generation; `undefined` for none. */
export function find(text: string): Version | undefined {
  return all.find((version) => version === text || version.split('.')[0] === text)
}
