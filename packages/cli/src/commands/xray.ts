import { xrayParameters } from '@sluice/api'
import { Chains } from '@sluice/domain'
import { getXray, type XrayResponse } from '@sluice/sdk'
import type { Command } from '../command.js'
import { flagsFor } from '../flags.js'
import { table, withProgress } from '../output.js'
import { UsageError } from '../UsageError.js'

export const xray: Command = {
  summary: "Compare a token's reported reserves with what its pools hold",
  positionals: ['chain', 'token'],
  flags: flagsFor(xrayParameters),
  examples: ['sluice xray base AERO', 'sluice xray --chain eth --token 0x… --json'],
  async run(values, { client, io }) {
    const { chain, token } = values
    if (typeof chain !== 'string' || typeof token !== 'string')
      throw new UsageError('Missing chain or token. Example: sluice xray base AERO.')
    const body = await withProgress(io, 'Looking through the pools', () =>
      getXray(client, { chain, token }),
    )
    return { body, text: xrayTable(body) }
  },
}

function xrayTable(report: XrayResponse): string {
  const { blockNumber, chainId, pools, resolved, source, stale, summary, tax, token } = report
  const facts = [
    ['Chain', Chains.find(chainId)?.name ?? String(chainId)],
    ['Token', resolved ? `${token} (${resolved.symbol})` : token],
    ['Reported by', `${source}${stale ? ', which is unavailable: this is its last report' : ''}`],
    ['Block', String(blockNumber)],
    ['Reported', usdOf(summary.reportedUsd)],
    ['On chain', usdOf(summary.onchainUsd)],
    ['Phantom', `${percentOf(summary.phantomBps)}: ${summary.verdict}`],
    ['Compared', `${summary.compared} of ${summary.pools} pools`],
    [
      'Tax',
      `buy ${percentOf(tax.buyBps)}, sell ${percentOf(tax.sellBps)}, transfer ${percentOf(tax.transferBps)}`,
    ],
    ...(tax.reason === null ? [] : [['', tax.reason]]),
  ]
  const rows = pools.map((pool) => [
    pool.pair.length > 42 ? `${pool.pair.slice(0, 39)}…` : pool.pair,
    pool.dex ?? '-',
    usdOf(pool.reportedUsd),
    usdOf(pool.onchainUsd),
    percentOf(pool.phantomBps),
    pool.method === 'balanceOf' ? pool.verdict : 'not comparable',
  ])
  const head = ['POOL', 'DEX', 'REPORTED', 'ON CHAIN', 'PHANTOM', 'VERDICT']
  return [table(facts), '', table([head, ...rows]), ''].join('\n')
}

function usdOf(amount: number | null): string {
  return amount === null ? 'unknown' : `${amount.toFixed(0)} USD`
}

function percentOf(bps: number | null): string {
  return bps === null ? 'unknown' : `${(bps / 100).toFixed(2)} %`
}
