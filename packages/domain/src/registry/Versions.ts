/** The protocol's versions, oldest first. */
export const all = ['1.0.0', '2.0.0'] as const
export type Version = (typeof all)[number]

/** Valid values of the `version` parameter: a full version, or its first number. */
export const names = ['1', '1.0.0', '2', '2.0.0'] as const

/** Version of requests without the `version` parameter. */
export const defaultVersion: Version = '1.0.0'

/** Resolves "2.0.0" or "2" to a version; `undefined` if it is unknown. */
export function find(text: string): Version | undefined {
  return all.find((version) => version === text || version.split('.')[0] === text)
}
