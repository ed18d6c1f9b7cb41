/** `npm run bench -- NAME [--dir FOLDER] …`: runs one bench and prints its figures as JSON, one object per line. */
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { print } from './lib/figures.js'
import { defaultDir, inRepository } from './lib/repository.js'

const names = readdirSync(inRepository('bench')).filter((name) =>
  existsSync(inRepository(`bench/${name}/run.ts`)),
)
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, seed: { type: 'string' }, count: { type: 'string' } },
})
const [name, ...only] = positionals
if (!name || !names.includes(name)) {
  console.error(
    `Usage: npm run bench -- NAME [SET …] [--dir FOLDER] [--seed N] [--count N]\nBenches: ${names.join(', ')}`,
  )
  process.exit(2)
}
const { run } = await import(`./${name}/run.ts`)
print(
  await run({
    dir: values.dir ? resolve(values.dir) : defaultDir,
    ...(values.seed ? { seed: Number(values.seed) } : {}),
    ...(values.count ? { count: Number(values.count) } : {}),
    only,
  }),
)
