import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inRepository } from '../../lib/repository.js'
import { changesOf, type Node } from './changesOf.js'

/** One small change of a file, whose path is relative to `contracts/src`. */
export type Mutant = {
  readonly file: string
  /** Position in bytes. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly from: string
  readonly to: string
}

type Output = { sources?: Record<string, { ast: Node }> }

/** Returns every mutant of a file, in the order of the text. */
export function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(inRepository(`contracts/src/${file}`))
  const found = new Map<string, Mutant>()
  for (const { end, start, to } of changesOf(parse(file, text.toString()), text)) {
    const from = text.subarray(start, end).toString()
    const line = text.subarray(0, start).toString().split('\n').length
    if (from !== to) found.set(`${start},${end},${to}`, { file, start, end, line, from, to })
  }
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns the text of the file with the mutant. */
export function mutated({ end, start, to }: Mutant, text: Buffer): string {
  return Buffer.concat([text.subarray(0, start), Buffer.from(to), text.subarray(end)]).toString()
}

function parse(file: string, content: string): Node {
  const { sources } = compile({
    sources: { [file]: { content } },
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  })
  const ast = sources?.[file]?.ast
  if (!ast) throw new Error(`${file} cannot be parsed.`)
  return ast
}

let solc: { compile(input: string): string } | undefined

function compile(input: object): Output {
  // Loaded only once, because that takes seconds.
  solc ??= createRequire(import.meta.url)('solc') as NonNullable<typeof solc>
  return JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', ...input })))
}
