import type { Io } from './io.js'

/** ANSI sequence that clears the current line of the terminal. */
const clearLine = '\r\u001b[2K'

/** Encodes JSON with bigints as decimal strings, as in the API. */
export function toJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member),
    2,
  )
}

/** Aligns cells in columns, each as wide as its widest cell. */
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

/** Shows `text` on stderr while `work` runs, and clears it afterwards. Shows nothing if stdout is not a terminal. */
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
