import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRpc, type Rpc } from '@sluice/deploy'
import { DevnetError } from '../errors.js'
import { type ChainNode, host, type NodeOptions, seedingGasLimit } from './ChainNode.js'
import { claimPort, portTakenError } from './claimPort.js'

const startTimeoutMs = 20_000

/** Starts an Anvil node on the loopback interface that mines on demand, and waits until it answers. */
export async function startAnvil({ chainId, port }: NodeOptions): Promise<ChainNode> {
  const chosenPort = await claimPort(port)
  const child = spawn(
    anvilPath(),
    [
      ...['--host', host, '--port', String(chosenPort), '--chain-id', String(chainId)],
      ...['--gas-limit', String(seedingGasLimit), '--order', 'fifo', '--no-mining'],
      ...['--prune-history', '--silent', '--no-request-size-limit'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // Last resort if this program ends without calling `stop`.
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  gone.then(() => process.off('exit', killNow))

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
    await untilReady(child, rpc, { chainId, port: chosenPort })
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return anvil
}

async function untilReady(
  child: ChildProcess,
  rpc: Rpc,
  { chainId, port }: { chainId: number; port: number },
) {
  let failure: string | undefined
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  child.once('error', (error) => {
    failure = error.message
  })
  child.once('close', (code) => {
    failure ??= stderr.trim() || `it ended with code ${code}`
  })
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if (failure) throw startError(failure, port)
    const answered = await rpc.request<string>('eth_chainId').catch(() => undefined)
    // Another program's node may use the port: accept only our child's chain id, and only while it runs.
    if (answered && !failure && Number(answered) === chainId) return
    await sleep(10)
  }
  throw startError(`no answer within ${startTimeoutMs / 1_000} s`, port)
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
