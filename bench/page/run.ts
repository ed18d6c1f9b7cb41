import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startDevnet } from '@sluice/devnet'
import { startServer } from '@sluice/server'
import lighthouse, { desktopConfig } from 'lighthouse'
import { launch } from '../../apps/web/test/chromium.js'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../tools/build-web.mjs'
import { type Figure, quantile } from '../lib/figures.js'

const chainId = 8453

type Visit = { score: number; lcp: number; cls: number; scripts: readonly string[] }

/**
 * Visits the swap page with Lighthouse, as a desktop and as a phone on a slow network: first paint of its largest part,
 * what moves, its score, and the scripts that a visit loads by itself. The page has a node, so this includes the check.
 */
export async function run({ count = 3 }: { count?: number } = {}): Promise<Figure[]> {
  await buildWebIfNeeded()
  const devnet = await startDevnet({ port: 0, chainIds: [chainId] })
  const server = await startServer({
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    publishRpc: true,
  })
  try {
    const visits = { desktop: await visit(server.url, true), phone: await visit(server.url, false) }
    const all = { desktop: [visits.desktop], phone: [visits.phone] }
    for (let more = 1; more < count; more++) {
      all.desktop.push(await visit(server.url, true))
      all.phone.push(await visit(server.url, false))
    }
    const middle = (list: readonly Visit[], of: 'score' | 'lcp') =>
      quantile(
        list.map((each) => each[of]),
        0.5,
      )
    const moved = Math.max(...[...all.desktop, ...all.phone].map(({ cls }) => cls))
    const figure = (name: string, value: number, unit: string): Figure => {
      return { bench: 'page', figure: name, value, unit, set: 'all' }
    }
    return [
      figure('cls', moved, 'share'),
      figure('lcp.desktop', middle(all.desktop, 'lcp') / 1_000, 's'),
      figure('lcp.phone', middle(all.phone, 'lcp') / 1_000, 's'),
      figure('score.desktop', middle(all.desktop, 'score'), 'share'),
      figure('score.phone', middle(all.phone, 'score'), 'share'),
      figure('script.gzip', (await gzipBytes(visits.phone.scripts)) / 1_000, 'kB'),
    ]
  } finally {
    await server.stop()
    await devnet.stop()
  }
}

/** One visit with a browser of its own, so that nothing is cached. */
async function visit(url: string, isDesktop: boolean): Promise<Visit> {
  const port = await freePort()
  const browser = await launch([`--remote-debugging-port=${port}`])
  try {
    const result = await lighthouse(
      url,
      { port, onlyCategories: ['performance'], logLevel: 'error' },
      isDesktop ? desktopConfig : undefined,
    )
    const { audits, categories } = result!.lhr
    const numberOf = (id: string) => audits[id]!.numericValue!
    const requests = audits['network-requests']!.details as unknown as {
      items: readonly { url: string; resourceType?: string }[]
    }
    return {
      score: categories['performance']!.score!,
      lcp: numberOf('largest-contentful-paint'),
      cls: numberOf('cumulative-layout-shift'),
      scripts: requests.items
        .filter(({ resourceType }) => resourceType === 'Script')
        .map((each) => each.url),
    }
  } finally {
    await browser.close()
  }
}

async function gzipBytes(urls: readonly string[]): Promise<number> {
  const texts = await Promise.all(
    [...new Set(urls)].map(async (url) => await (await fetch(url)).text()),
  )
  return texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
