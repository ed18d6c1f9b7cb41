/**
 * Checks the structure of the repository. Prints each violation and exits with 1 if there are any:
 *
 * - packages import only those listed for them; published code does not import `bench` or `e2e`;
 * - the domain does no I/O;
 * - files are short, and package.json declares all imports;
 * - exports and interfaces are documented;
 * - links and the tests named in the threat model exist;
 * - texts contain no unclear phrases;
 * - folders of the contracts are layers, and every venue kind has a test.
 *
 * The linter checks the length of functions and import cycles (biome.json).
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkDependencies } from './checkDependencies.js'
import { checkDocstrings } from './checkDocstrings.js'
import { checkLinks } from './checkLinks.js'
import { checkNatspec } from './checkNatspec.js'
import { checkProse } from './checkProse.js'
import { checkSolidity } from './checkSolidity.js'
import { checkThreatModel } from './checkThreatModel.js'
import { checkVenueKinds } from './checkVenueKinds.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const allowed: Record<string, readonly string[]> = {
  abi: [],
  domain: ['abi'],
  rpc: [],
  api: ['domain'],
  engine: ['abi', 'domain', 'rpc'],
  server: ['api', 'domain', 'engine', 'mcp', 'sdk'],
  deploy: ['abi', 'domain'],
  devnet: ['abi', 'deploy', 'domain', 'server'],
  sdk: ['abi', 'api', 'domain'],
  mcp: ['api', 'domain', 'sdk'],
  cli: ['api', 'deploy', 'devnet', 'domain', 'sdk', 'server'],
}

/** For the sources of the web page only; its tests start whole services. */
const allowedInWeb: readonly string[] = ['domain', 'sdk']

/** Imports and names that pure code must not use. */
const impure =
  /from '(node:|undici|hono)|\b(fetch|setTimeout|Date\.now|Math\.random|process\.env)\b/

/** Maximum lines of a file, by extension. Generated files and data are exempt. */
const maxLines: Record<string, number> = { ts: 500, tsx: 500, mjs: 500, sol: 600 }
const exempt = /\/generated\/|\.json$/

const problems = [
  ...readdirSync(join(root, 'packages')).flatMap(checkPackage),
  ...checkFolder('apps/web/src', 'web', allowedInWeb),
  ...trackedFiles().flatMap(checkLength),
  ...checkThreatModel(root),
  ...checkLinks(
    root,
    trackedFiles().filter((path) => path.endsWith('.md')),
  ),
  ...checkProse(root, trackedFiles()),
  ...checkSolidity(root, trackedFiles()),
  ...checkNatspec(root, trackedFiles()),
  ...checkVenueKinds(root, trackedFiles()),
]
for (const problem of problems) console.error(problem)
process.exit(problems.length > 0 ? 1 : 0)

function checkPackage(name: string): string[] {
  const targets = allowed[name]
  if (!targets) return [`packages/${name} is not in the list of layers (tools/check-structure.ts)`]
  const folder = join('packages', name)
  return [
    ...checkFolder(folder, name, targets),
    ...checkDependencies(root, folder),
    ...checkDocstrings(root, folder),
  ]
}

function checkFolder(folder: string, name: string, targets: readonly string[]): string[] {
  return sourcesOf(join(root, folder)).flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const shown = relative(root, path)
    return [
      ...packagesIn(text)
        .filter((target) => target !== name && !targets.includes(target))
        .map((target) => `${shown}: ${name} must not import @sluice/${target}`),
      ...(/from '[./]*\/(bench|e2e)\//.test(text) ? [`${shown}: imports bench or e2e`] : []),
      ...(name === 'domain' && !path.endsWith('.test.ts') && impure.test(text)
        ? [`${shown}: the domain does no I/O and reads no clock`]
        : []),
    ]
  })
}

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((path) => path !== '' && !exempt.test(path))
}

function checkLength(path: string): string[] {
  const most = maxLines[path.split('.').at(-1) ?? '']
  if (most === undefined) return []
  const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
  return lines > most
    ? [`${path}: ${lines} lines; the maximum is ${most}. Split it by responsibility`]
    : []
}

function packagesIn(text: string): string[] {
  return [...text.matchAll(/from '@sluice\/([a-z]+)/g)].map(([, target]) => target!)
}

function sourcesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries
    .filter((entry) => /\.tsx?$/.test(entry) && !entry.split(sep).includes('node_modules'))
    .map((entry) => join(folder, entry))
}
