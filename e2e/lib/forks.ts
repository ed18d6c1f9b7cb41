import { readdirSync, readFileSync } from 'node:fs'
import { inRepository } from '../../bench/lib/repository.js'

/** A chain with a built-in config, and a node of it if the environment names one. */
export type ForkedChain = {
  readonly chainId: number
  /** Content of its config file. */
  readonly config: Readonly<Record<string, unknown>>
  /** Value of `RPC_<chainId>_FORK`. */
  readonly url: string | undefined
}

/**
 * Reads which chains to fork.
 *
 * @throws Error if a value is no URL; it does not contain the value.
 */
export function readForks(environment: NodeJS.ProcessEnv): readonly ForkedChain[] {
  const folder = inRepository('packages/deploy/chains')
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => {
    const config = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'))
    const chainId = Number(config.chainId)
    const variable = `RPC_${chainId}_FORK`
    const url = environment[variable] || undefined
    if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
      throw new Error(`${variable} must be an http or https URL.`)
    return { chainId, config, url }
  })
}

/** Says which chains have no node to fork; `undefined` if all have one. */
export function notForked(chains: readonly ForkedChain[]): string | undefined {
  const missing = chains.filter(({ url }) => url === undefined).map(({ chainId }) => chainId)
  if (missing.length === 0) return undefined
  return `THE END-TO-END TESTS DID NOT RUN ON FORKS OF CHAINS ${missing.join(', ')}: set RPC_<chain id>_FORK to the URL of a node.`
}
