import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createRpc,
  type QuoteRecording,
  type Recording,
  record,
  replay,
  replayQuote,
  runCheck,
} from '@sluice/deploy'
import { converterVenues, type Devnet } from '@sluice/devnet'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRepository } from '../bench/lib/repository.js'
import { onFreshNode } from './lib/onFreshNode.js'
import { nodeKind, startDevnet } from './lib/startDevnet.js'

/** Recorded swaps that Sluice once got wrong, or that a real chain showed. `tools/keep-recordings.ts` adds some. */
const folder = inRepository('e2e/recordings')
const kept = readdirSync(folder).filter((name) => name.endsWith('.json'))

/** Repeats a recording on a fresh node. */
async function replayed(recording: Recording) {
  return await onFreshNode(recording, async (rpc) => await replay(rpc, recording))
}

describe('recordings', () => {
  test.each(kept)('default: %s is computed to the wei, or quoted as well', async (name) => {
    const recording = JSON.parse(readFileSync(join(folder, name), 'utf8')) as
      | Recording
      | QuoteRecording
    if ('kind' in recording) {
      const quoted = await onFreshNode(recording, async (rpc) => await replayQuote(rpc, recording))
      return expect(quoted.grossOut).toBeGreaterThanOrEqual(BigInt(recording.amountOut))
    }
    const outcome = await replayed(recording)
    expect(outcome).toMatchObject({ swapped: true, priced: true })
    expect(outcome.amountOut).toBe(BigInt(recording.amountOut))
    expect(outcome.expectedOut).toBe(outcome.amountOut)
  })
})

/** EDR does not tell what a call reads. */
const isSilent = nodeKind.startsWith('edr')
const chainIds = isSilent ? [10] : [8453, 1, 10, 42161]

describe('new recordings', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ port: 0 })
  })
  afterAll(async () => {
    await devnet?.stop()
  })

  test.each(chainIds)('default: a swap on each venue of chain %i', async (chainId) => {
    const { configFile, rpcUrl, venues } = devnet.chains.find((each) => each.chainId === chainId)!
    const rpc = createRpc(rpcUrl)
    const options = { config: configFile, pools: 1, sizes: [1_000] }
    const { attempts, blockNumber } = await runCheck(rpc, options)
    const block = numberToHex(blockNumber)
    // No pool of the devnet names its vault, so that a check does not find it.
    for (const venue of venues.filter((name) => name !== converterVenues.vault)) {
      const swap = attempts.find((each) => each.venue === venue)!
      const recording = await record(rpc, { block, configFile, swap })
      if (isSilent) {
        expect(recording).toBeUndefined()
        continue
      }
      const outcome = await replayed(JSON.parse(JSON.stringify(recording)))
      expect([venue, outcome.amountOut, outcome.expectedOut]).toEqual([
        venue,
        swap.amountOut,
        swap.amountOut,
      ])
    }
  })

  test.each(chainIds)('behavior: a difference on chain %i is one again', async (chainId) => {
    const { configFile, rpcUrl } = devnet.chains.find((each) => each.chainId === chainId)!
    const file = structuredClone(configFile) as { venues: { feePips?: number }[] }
    file.venues[0]!.feePips = 2_500
    const options = { config: file, pools: 1, sizes: [1_000], isRecorded: true }
    const { recordings } = await runCheck(createRpc(rpcUrl), options)
    const [recording] = recordings
    if (isSilent) return expect(recordings).toEqual([])
    const { amountOut, expectedOut } = await replayed(recording!)
    expect(amountOut).toBe(BigInt(recording!.amountOut))
    expect(expectedOut).toBeGreaterThan(amountOut)
  })
})
