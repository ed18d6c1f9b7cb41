/** A report as JSON: amounts become decimal strings. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each), 2)
}
