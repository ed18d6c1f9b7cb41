import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createRpc } from '@sluice/deploy'
import { DevnetError } from '../errors.js'
import { type ChainNode, host, type NodeOptions, seedingGasLimit } from './ChainNode.js'
import { claimPort, portTakenError } from './claimPort.js'
import { guard, untilReady } from './runChild.js'

/**
 * Starts an Anvil node on the loopback interface that mines on demand, and waits until it answers.
 *
 * @param options.startsAt Time of the first block, in unix seconds. @default the current time
 * @param options.fork Node and block whose chain it continues. @default a chain of its own
 */
export async function startAnvil({
  chainId,
  fork,
  keepsHistory = false,
  port,
  startsAt,
}: NodeOptions & {
  startsAt?: number
  fork?: { url: string; blockNumber: number } | undefined
}): Promise<ChainNode> {
  const chosenPort = await claimPort(port)
  const child = spawn(
    anvilPath(),
    [
      ...['--host', host, '--port', String(chosenPort), '--chain-id', String(chainId)],
      ...['--gas-limit', String(seedingGasLimit), '--order', 'fifo', '--no-mining'],
      ...(startsAt === undefined ? [] : ['--timestamp', String(startsAt)]),
      ...(keepsHistory ? [] : ['--prune-history']),
      ...(fork === undefined ? [] : forkFlags(fork)),
      ...['--silent', '--no-request-size-limit'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const gone = guard(child)

  const rpcUrl = `http://${host}:${chosenPort}`
  const rpc = createRpc(rpcUrl)
  const anvil: ChainNode = {
    rpcUrl,
    rpc,
    async mineEvery(ms) {
      await rpc.request('evm_setIntervalMining', [ms / 1_000])
    },
    stop: () => stopChild(child, gone),
  }
  try {
    const failed = (reason: string) => startError(reason, chosenPort)
    await untilReady(child, rpc, { chainId, failed })
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return anvil
}

/** A fork asks its node as fast as it can, and keeps nothing on disk. */
function forkFlags({ blockNumber, url }: { url: string; blockNumber: number }): string[] {
  const node = ['--fork-url', url, '--fork-block-number', String(blockNumber)]
  return [...node, '--no-rate-limit', '--no-storage-caching']
}

function startError(failure: string, port: number): DevnetError {
  if (/address (already )?in use/i.test(failure)) return portTakenError(port)
  return new DevnetError('ANVIL_FAILED', `Anvil did not start: ${failure}.`)
}

async function stopChild(child: ChildProcess, gone: Promise<void>) {
  if (child.pid === undefined) return
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await gone
  clearTimeout(forced)
}

/** Returns the path of `anvil`: from the npm package on Linux x64, otherwise from the PATH. */
export function anvilPath(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(
      '@foundry-rs/anvil-linux-amd64/package.json',
    )
    const binary = join(dirname(manifest), 'bin/anvil')
    if (process.platform === 'linux' && process.arch === 'x64') return binary
  } catch {
    // Not installed on this platform.
  }
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const binary = join(folder, 'anvil')
    if (folder && existsSync(binary)) return binary
  }
  throw new DevnetError(
    'ANVIL_MISSING',
    'Anvil was not found. On Linux x64 it comes with `npm ci`; elsewhere install Foundry so that `anvil` is on the PATH.',
  )
}
