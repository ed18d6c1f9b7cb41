/**
 * `npm run release`: releases @sluice/sdk, @sluice/cli and @sluice/mcp, which share one version.
 *
 *     npm run release                 # dry run: builds, packs and checks everything, publishes nothing
 *     npm run release -- --prepare    # writes the next version and dates the changelogs, to be committed
 *     npm run release -- --publish    # publishes with provenance; runs in CI, on the tag of the version
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { publint } from 'publint'
import * as Changelog from './changelog.js'
import { readManifest } from './manifest.js'
import { pack } from './pack.js'
import { names, root } from './published.js'
import { type Manifest, withVersion } from './withVersion.js'

const { values } = parseArgs({
  options: { prepare: { type: 'boolean' }, publish: { type: 'boolean' } },
})
const changelogOf = (name: string) => join(root, 'packages', name, 'CHANGELOG.md')
const changelogs = names.map((name) => Changelog.parse(readFileSync(changelogOf(name), 'utf8')))
const current = sharedVersion()
const next = Changelog.nextVersion(current, changelogs)

if (values.prepare) prepare()
else await publish()

/** Writes the next version into package.json of the packages and into the SDK, and dates the changelogs. */
function prepare(): void {
  const date = new Date().toISOString().slice(0, 10)
  for (const name of names) {
    const path = changelogOf(name)
    writeFileSync(path, Changelog.release(readFileSync(path, 'utf8'), next, date))
  }
  for (const folder of readdirSync(join(root, 'packages')))
    rewriteJson(join(root, 'packages', folder, 'package.json'), (manifest) =>
      withVersion(manifest, next),
    )
  rewriteJson(join(root, 'package-lock.json'), (lock) => ({
    ...lock,
    packages: Object.fromEntries(
      Object.entries(lock.packages ?? {}).map(([path, manifest]) => [
        path,
        path.startsWith('packages/') ? withVersion(manifest, next) : manifest,
      ]),
    ),
  }))
  const errors = join(root, 'packages/sdk/src/errors.ts')
  const text = readFileSync(errors, 'utf8')
  writeFileSync(errors, text.replace(`version = '${current}'`, `version = '${next}'`))
  console.log(`Prepared ${next}. Commit, tag the commit v${next}, and push the tag.`)
}

type Json = Manifest & { readonly packages?: Readonly<Record<string, Manifest>> }

function rewriteJson(path: string, rewrite: (content: Json) => Json): void {
  const content = rewrite(JSON.parse(readFileSync(path, 'utf8')))
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
}

/** Publishes the packages if `--publish` is given and this is CI; otherwise does everything but that. */
async function publish(): Promise<void> {
  const isPublished = values.publish === true
  if (isPublished) demandRelease()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-release-'))
  const tarballs = await pack(names, folder, repositoryUrl())
  for (const name of names) {
    const { dist, files, path, size } = tarballs[name]
    const { messages } = await publint({ pkgDir: dist, strict: true })
    if (messages.length > 0) throw new Error(`publint: ${JSON.stringify(messages)}`)
    console.log(`@sluice/${name} ${current}: ${files.length} files, ${size} bytes, ${path}`)
    // Provenance and access are in publishConfig of the tarball.
    if (isPublished) execFileSync('npm', ['publish', path], { stdio: 'inherit' })
  }
  if (isPublished) return
  console.log(
    next === current
      ? `Dry run of ${current}: nothing was published.`
      : `Dry run: nothing was published. The changes need version ${next}: npm run release -- --prepare`,
  )
}

/** @throws if the changelogs are not dated, or if this is not a CI that can attest the build. */
function demandRelease(): void {
  const open = names.filter((_, index) => changelogs[index]!.unreleased !== '')
  if (open.length > 0)
    throw new Error(`Unreleased changes in ${open.join(', ')}. Run npm run release -- --prepare.`)
  const missing = names.filter((_, index) => changelogs[index]!.released[0] !== current)
  if (missing.length > 0) throw new Error(`No changelog of ${current} in ${missing.join(', ')}.`)
  if (process.env['GITHUB_REF_NAME'] !== `v${current}`)
    throw new Error(`Publish from CI, on the tag v${current}. Provenance needs it.`)
}

/** URL of the repository in CI, with which npm compares the provenance. */
function repositoryUrl(): string | undefined {
  const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: server } = process.env
  return name && server ? `git+${server}/${name}.git` : undefined
}

/** @throws if the packages have different versions. */
function sharedVersion(): string {
  const versions = new Set(names.map((name) => readManifest(name).version))
  if (versions.size > 1) throw new Error(`The packages have versions ${[...versions]}.`)
  return [...versions][0]!
}
