/** What was tested of a set, or of a file of it. */
export type Score = { set: string; red: number; planted: number }
