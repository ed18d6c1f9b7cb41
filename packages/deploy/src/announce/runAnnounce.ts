import { writeFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { readDeploymentsFile } from '../deploymentsFile.js'
import type { Signer } from '../flags.js'
import { createRpc } from '../rpc.js'
import { toJson } from '../toJson.js'
import { announcePools, estimateAnnouncements } from './announcePools.js'
import { planAnnouncements } from './planAnnouncements.js'
import { resultText } from './resultText.js'

/** What the flags of `sluice announce` say. */
export type AnnounceOptions = Signer & {
  /** JSON-RPC URL of the node. */
  url: string
  /** Path of the deployments file. */
  deployments: string
  /** Ids of the pools. */
  pools: readonly Hex[]
  /** Path of the file for the result. */
  json: string | undefined
  /** Whether to send nothing, and estimate the gas. */
  isDryRun: boolean
  /** Block from which to look for the pools' creation. */
  fromBlock: number | undefined
}

/** Makes the pools known, or estimates what that takes, and prints the result; the progress goes to stderr. */
export async function runAnnounce(options: AnnounceOptions): Promise<void> {
  const { deployments: file, fromBlock, isDryRun, json, key, from, pools, url } = options
  const rpc = createRpc(url)
  const onProgress = (text: string) => console.error(text)
  const deployments = readDeploymentsFile(file)
  const plan = await planAnnouncements(rpc, { deployments, pools, fromBlock, onProgress })
  const results = isDryRun
    ? await estimateAnnouncements(rpc, plan)
    : await announcePools(rpc, plan, { key, from, onProgress })
  const { adapter, chain, chainId } = plan
  // Before the file, which may fail: transactions may have been sent.
  console.log(resultText({ adapter, chain, chainId }, results))
  if (json !== undefined)
    writeFileSync(json, `${toJson({ schema: 1, chainId, adapter, pools: results })}\n`)
}
