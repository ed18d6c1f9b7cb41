/** Input and output of the command line. A parameter, so that tests can capture all of it. */
export type Io = {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Whether a person reads stdout. */
  readonly isTty: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  /** Content of a file; `-` is stdin. */
  readonly readFile: (path: string) => string
}
