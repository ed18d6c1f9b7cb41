import { operations } from '@sluice/api'
import { expect, test } from 'vitest'
import { flagOf } from './flags.js'
import { commands } from './run.js'

const offered = operations.filter(({ surfaces }) => surfaces?.command !== undefined)
const nameOf = ({ surfaces }: (typeof offered)[number]) =>
  surfaces!.command as keyof typeof commands

/** What a flag takes that its parameter does not. */
const takes: Readonly<Record<string, string>> = {
  amountOut: ' Or with its unit: "2500 USDC", "2500 token" (of --out).',
  overrides: ' Takes a file with the JSON; - is stdin.',
}

test('default: has every command that an operation names', () => {
  expect(Object.keys(commands).sort()).toEqual([...offered.map(nameOf), 'repeat'].sort())
})

test.each(offered.filter(({ query }) => query !== undefined))(
  'behavior: $surfaces.command has a flag for each parameter of $id',
  (operation) => {
    const { flags } = commands[nameOf(operation)]
    for (const [name, schema] of Object.entries(operation.query!.shape)) {
      const { description, safeParse } = schema as {
        description?: string
        safeParse: (value: undefined) => { success: boolean }
      }
      const { help, isRequired } = flags[flagOf(name)]!
      expect(help).toBe(`${description}${takes[name] ?? ''}`)
      expect(isRequired).toBe(!safeParse(undefined).success)
    }
  },
)
