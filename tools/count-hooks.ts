/**
 * Counts the hooks of Uniswap's public list by kind, for the table in docs/venues.md:
 *
 *     node --conditions=development --import tsx tools/count-hooks.ts hooklist.json
 *
 * The list is `hooklist.json` of github.com/Uniswap/hooklist. It is not part of this repository.
 */
import { readFileSync } from 'node:fs'
import { Chains } from '@sluice/domain'
import { changesAmounts, hookKindOf, hookKinds, type ListedHook } from './hookKinds.js'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Pass the path of hooklist.json.')
const hooks = JSON.parse(readFileSync(file, 'utf8')) as readonly ListedHook[]

const isServed = ({ hook }: ListedHook) => Chains.find(hook.chainId) !== undefined
const rows = hookKinds.map((kind) => [kind, hooks.filter((hook) => hookKindOf(hook) === kind)])
for (const [name, of] of [...rows, ['all', hooks]] as [string, readonly ListedHook[]][])
  console.log(
    `| ${name} | ${of.length} | ${of.filter(isServed).length} | ${of.filter(changesAmounts).length} |`,
  )
const places = hooks.map(({ hook }) => `${hook.chainId} ${hook.address.toLowerCase()}`)
console.log(`${new Set(places).size} different hooks`)
