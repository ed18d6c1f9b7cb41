import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { createRpc } from '@sluice/deploy'
import { numberToHex } from 'viem'
import { DevnetError } from '../errors.js'
import { type ChainNode, host, type NodeOptions } from './ChainNode.js'
import { claimPort } from './claimPort.js'
import type { Accounts } from './copyState.js'
import { answerAsGeth, blockGasLimit, createGeth, mine, openReceipts } from './gethMethods.js'
import { guard, untilReady } from './runChild.js'
import { serveNode } from './serveNode.js'

/**
 * Starts geth with the given accounts. A server in front of it passes everything through unchanged, except the methods of
 * `gethMethods.ts`, and has it mine a block for each transaction.
 *
 * Limits of calls are geth's defaults: 50 million gas, 5 seconds, batches of 1,000.
 */
export async function startGeth({
  accounts,
  chainId,
  port,
}: NodeOptions & { accounts: Accounts }): Promise<ChainNode> {
  const program = gethPath()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-geth-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', removeFolder)
  const stops: (() => Promise<void>)[] = [
    async () => {
      process.off('exit', removeFolder)
      removeFolder()
    },
  ]
  const stop = async () => {
    for (const each of stops.reverse()) await each()
  }
  try {
    await writeGenesis(program, folder, { accounts, chainId })
    const innerPort = await claimPort(0)
    const child = spawn(program, argumentsOf(folder, innerPort), {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const gone = guard(child)
    stops.push(() => kill(child, gone))
    const innerUrl = `http://${host}:${innerPort}`
    const inner = createRpc(innerUrl)
    await untilReady(child, inner, { chainId, failed: startError })
    const geth = createGeth(innerUrl, { chainId })
    await openReceipts(geth)
    const { close, rpcUrl } = await serveNode(port, (body) => answerAsGeth(geth, body))
    stops.push(close)
    return {
      rpcUrl,
      rpc: createRpc(rpcUrl, { timeoutMs: 110_000 }),
      async mineEvery(ms) {
        geth.isAutomatic = false
        const timer = setInterval(() => void mine(geth).catch(() => {}), ms)
        stops.push(async () => clearInterval(timer))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Writes the first block: geth's own for development, without forks after Osaka, and with the given accounts. */
async function writeGenesis(
  program: string,
  folder: string,
  { accounts, chainId }: { accounts: Accounts; chainId: number },
): Promise<void> {
  const run = promisify(execFile)
  try {
    const { stdout } = await run(program, ['--dev', 'dumpgenesis'])
    const own = JSON.parse(stdout) as { config: object; alloc: object }
    const { bogotaTime: _, ...config } = own.config as Record<string, unknown>
    const genesis = {
      ...own,
      config: { ...config, chainId },
      gasLimit: numberToHex(blockGasLimit),
      alloc: { ...bare(accounts), ...bare(own.alloc) },
    }
    const path = join(folder, 'genesis.json')
    writeFileSync(path, JSON.stringify(genesis))
    await run(program, ['init', '--datadir', folder, path])
  } catch (error) {
    throw startError(error instanceof Error ? error.message : String(error))
  }
}

/** Addresses in one spelling, so that an account of both sets appears once. */
function bare(accounts: object): object {
  return Object.fromEntries(
    Object.entries(accounts).map(([address, account]) => [
      address.toLowerCase().replace(/^0x/, ''),
      account,
    ]),
  )
}

function argumentsOf(folder: string, port: number): string[] {
  return [
    ...['--datadir', folder, '--ipcdisable', '--authrpc.port', '0', '--cache', '64'],
    ...['--nodiscover', '--maxpeers', '0', '--port', '0', '--syncmode', 'full'],
    ...['--miner.gaslimit', String(blockGasLimit)],
    ...['--http', '--http.addr', host, '--http.port', String(port)],
    ...['--http.api', 'eth,net,web3,debug,testing,txpool', '--rpc.txfeecap', '0'],
    // Transactions of a block that was taken back must not come again.
    '--txpool.nolocals',
  ]
}

/** Its state is temporary, so it need not be saved. */
async function kill(child: ChildProcess, gone: Promise<void>): Promise<void> {
  if (child.pid === undefined) return
  child.kill('SIGKILL')
  await gone
}

function startError(reason: string): DevnetError {
  return new DevnetError('GETH_FAILED', `Geth did not start: ${reason}.`)
}

/** Returns the path of `geth` on the PATH. */
function gethPath(): string {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const binary = join(folder, 'geth')
    if (folder && existsSync(binary)) return binary
  }
  throw new DevnetError(
    'GETH_MISSING',
    'Geth was not found on the PATH. With Go, `node tools/test-geth.mjs` installs it and runs the tests on it.',
  )
}
