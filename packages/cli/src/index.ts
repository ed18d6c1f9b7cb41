/** The command line as a function, for programs that embed it. */

export { flagOf, quoteFlags } from './flags.js'
export type { Io } from './io.js'
export { programs } from './programs.js'
export { commands, run } from './run.js'
