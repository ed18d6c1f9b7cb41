import { type Devnet, startDevnet } from '@sluice/devnet'
import { type ServerConfig, startServer } from '@sluice/server'
import type { Browser } from 'playwright-core'
// @ts-expect-error plain Node, without types
import { buildWebIfNeeded } from '../../../tools/build-web.mjs'
import { launch } from './launch.js'

/** A devnet, the service on it, and a browser. */
export type Site = {
  readonly devnet: Devnet
  readonly url: string
  readonly browser: Browser
  readonly serve: (changes?: Partial<ServerConfig>) => Promise<string>
  readonly stop: () => Promise<void>
}

export async function startSite(chainIds: readonly number[]): Promise<Site> {
  await buildWebIfNeeded()
  const devnet = await startDevnet({ port: 0, chainIds: [...chainIds] })
  const stops: (() => Promise<void>)[] = []
  const serve = async (changes: Partial<ServerConfig> = {}) => {
    const server = await startServer({
      port: 0,
      deployments: devnet.deployments,
      rpcUrls: new Map(devnet.chains.map((chain) => [chain.chainId, [chain.rpcUrl]])),
      tokenLists: devnet.chains.flatMap(({ chainId, tokens }) =>
        Object.entries(tokens).map(([symbol, token]) => ({
          chainId,
          symbol,
          name: symbol,
          ...token,
        })),
      ),
      logLevel: 'silent',
      maxBlockAge: 'off',
      maxLoopDelayMs: 0,
      publishRpc: true,
      ...changes,
    })
    stops.push(server.stop)
    return server.url
  }
  const url = await serve()
  const browser = await launch()
  return {
    devnet,
    url,
    browser,
    serve,
    async stop() {
      await browser.close()
      for (const stop of stops) await stop()
      await devnet.stop()
    },
  }
}
