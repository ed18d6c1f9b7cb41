/** What the command line reads and writes; given, so that tests see all of it. */
export type Io = {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Whether a person reads stdout. */
  readonly isTty: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Content of a file; `-` is stdin. */
  readonly readFile: (path: string) => string
}
