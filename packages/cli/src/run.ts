import type { NameOn } from '@sluice/api'
import { version } from '@sluice/sdk'
import { type Command, clientOf } from './command.js'
import { decode } from './commands/decode.js'
import { deployments } from './commands/deployments.js'
import { prepare } from './commands/prepare.js'
import { price } from './commands/price.js'
import { quote } from './commands/quote.js'
import { repeat } from './commands/repeat.js'
import { solvency } from './commands/solvency.js'
import { stats } from './commands/stats.js'
import { tokens } from './commands/tokens.js'
import { xray } from './commands/xray.js'
import { errorObject, exitCodeOf, exitCodes, exitCodeTable, messageOf } from './exitCodes.js'
import { flagHelp, parseFlags, sharedFlags, type Values } from './flags.js'
import type { Io } from './io.js'
import { toJson } from './output.js'
import { programs } from './programs.js'
import { UsageError } from './UsageError.js'

/** Every command by name: those that operations name, and `repeat`, which does not use the service. */
export const commands = {
  quote,
  prepare,
  decode,
  repeat,
  deployments,
  tokens,
  price,
  xray,
  stats,
  solvency,
} as const satisfies Readonly<Record<NameOn<'command'> | 'repeat', Command>>

/** Runs one command line and returns its exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  const isJson = !io.isTty || rest.includes('--json')
  try {
    if (name === undefined || name === 'help' || name === '--help') {
      io.stdout(`${help()}\n`)
      return exitCodes.ok
    }
    const command = isCommand(name) ? commands[name] : undefined
    if (name === '--version') {
      io.stdout(`${version}\n`)
      return exitCodes.ok
    }
    if (command === undefined) throw new UsageError(unknownCommand(name))
    const flags = { ...command.flags, ...sharedFlags }
    const values = parse(name, rest, flags, command.positionals)
    if (values['help']) {
      io.stdout(`${commandHelp(name, command)}\n`)
      return exitCodes.ok
    }
    const answer = await command.run(values, { io, client: clientOf(values, io) })
    io.stdout(isJson ? `${toJson(answer.body)}\n` : answer.text)
    return answer.exitCode ?? exitCodes.ok
  } catch (error) {
    if (isJson) io.stdout(`${toJson(errorObject(error))}\n`)
    else io.stderr(`${messageOf(error)}\n`)
    return exitCodeOf(error)
  }
}

function unknownCommand(name: string): string {
  return Object.hasOwn(programs, name)
    ? `"${name}" needs a checkout of the repository: run \`npm run ${name}\` there.`
    : `Unknown command "${name}". See sluice --help.`
}

function isCommand(name: string): name is keyof typeof commands {
  return Object.hasOwn(commands, name)
}

/** @throws UsageError that names the help of the command. */
function parse(name: string, ...given: Parameters<typeof parseFlags>): Values {
  try {
    return parseFlags(...given)
  } catch (error) {
    throw new UsageError(`${(error as Error).message} See sluice ${name} --help.`)
  }
}

function help(): string {
  const summaries = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const)
  const line = ([name, summary]: readonly [string, string]) => `  ${name.padEnd(12)} ${summary}`
  return [
    'Usage: sluice COMMAND [flags]',
    '',
    ...summaries.map(line),
    '',
    'In a checkout of the repository, with `npm run`:',
    ...Object.entries(programs).map(line),
    '',
    'Every command has --help with examples. Commands print a table on a terminal, and JSON elsewhere or with --json.',
    '',
    exitCodeTable,
  ].join('\n')
}

function commandHelp(name: string, { examples, flags, summary }: Command): string {
  return [
    `sluice ${name}: ${summary}`,
    '',
    flagHelp({ ...flags, ...sharedFlags }),
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
    '',
    exitCodeTable,
  ].join('\n')
}
