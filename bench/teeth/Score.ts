/** Result of a set, or of one of its files. */
export type Score = { set: string; red: number; planted: number }
