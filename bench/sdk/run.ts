import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSizeOf } from '../../tools/packages/bundle.js'
import { pack, type Tarball } from '../../tools/packages/pack.js'
import { find, names, type PackageName } from '../../tools/packages/published.js'
import { type Figure, quantile } from '../lib/figures.js'

/**
 * Measures the published packages: size of the tarballs and of the SDK's entry points, time and size of an installation
 * with an empty npm cache and no network, and time from the start of a program to its version or help.
 *
 * @param options.count Installations and starts of each package.
 */
export async function run(options: { count?: number }): Promise<Figure[]> {
  const { count = 5 } = options
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sdk-bench-'))
  try {
    const tarballs = await pack(names, folder)
    const figures: Figure[] = []
    for (const entry of Object.keys(find('sdk').entries))
      figures.push(figure('gzip', await gzipSizeOf('sdk', entry), 'bytes', `sdk/${entry}`))
    for (const name of names) figures.push(...measure(name, tarballs[name], folder, count))
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measure(name: PackageName, tarball: Tarball, folder: string, count: number): Figure[] {
  const projects = Array.from({ length: count }, (_, index) => join(folder, `${name}-${index}`))
  const installs = projects.map((project) => timed(() => install(project, tarball)))
  const installed = Object.keys(
    JSON.parse(readFileSync(join(projects[0]!, 'node_modules/.package-lock.json'), 'utf8'))
      .packages,
  )
  const figures = [
    figure('tarball', tarball.size, 'bytes', name),
    figure('unpacked', tarball.unpackedSize, 'bytes', name),
    figure('files', tarball.files.length, 'files', name),
    figure('install.packages', installed.length, 'packages', name),
    figure('install.median', quantile(installs, 0.5), 'ms', name),
  ]
  if (name !== 'cli') return figures
  const sluice = join(projects[0]!, 'node_modules/.bin/sluice')
  const starts = projects.map(() => timed(() => execFileSync(sluice, ['--version'])))
  return [...figures, figure('start.median', quantile(starts, 0.5), 'ms', name)]
}

function install(project: string, { path }: Tarball): void {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const cache = ['--cache', join(project, 'cache')]
  const options = ['--offline', '--no-audit', '--no-fund', ...cache]
  execFileSync('npm', ['install', path, ...options], { cwd: project, stdio: 'ignore' })
}

/** Runs `work` and returns its duration in milliseconds. */
function timed(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function figure(name: string, value: number, unit: string, set: string): Figure {
  return { bench: 'sdk', figure: name, value, unit, set }
}
