import type { Io } from './io.js'

/** Where the terminal's line is cleared, so that what follows stands alone. */
const clearLine = '\r\u001b[2K'

/** JSON with integers of the chain as texts, as on the wire. */
export function toJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member),
    2,
  )
}

/** Columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Tells a person what is waited for, on stderr, and takes it back when it is over. */
export async function withProgress<value>(
  io: Io,
  text: string,
  work: () => Promise<value>,
): Promise<value> {
  if (!io.isTty) return await work()
  io.stderr(`${text} …`)
  try {
    return await work()
  } finally {
    io.stderr(clearLine)
  }
}
