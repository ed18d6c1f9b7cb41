import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRpc, type Rpc } from '@sluice/deploy'
import { DevnetError } from './errors.js'

const host = '127.0.0.1'
const startTimeoutMs = 20_000
/** Blocks hold whole seeding phases; lowered once the chain is furnished. */
const seedingGasLimit = 4_000_000_000

export type Anvil = {
  readonly rpcUrl: string
  readonly rpc: Rpc
  readonly pid: number
  /** Ends the process and resolves when it is gone. */
  stop(): Promise<void>
}

export type AnvilOptions = {
  chainId: number
  /** 0 takes a free one. */
  port: number
}

/** Starts one Anvil node on the loopback interface, mining only on demand, and waits until it answers. */
export async function startAnvil({ chainId, port }: AnvilOptions): Promise<Anvil> {
  const chosenPort = await claimPort(port)
  const child = spawn(
    anvilPath(),
    [
      ...['--host', host, '--port', String(chosenPort), '--chain-id', String(chainId)],
      ...['--gas-limit', String(seedingGasLimit), '--order', 'fifo', '--no-mining'],
      ...['--prune-history', '--auto-impersonate', '--silent', '--no-request-size-limit'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // The last resort when this program ends without `stop`.
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  gone.then(() => process.off('exit', killNow))

  const rpcUrl = `http://${host}:${chosenPort}`
  const rpc = createRpc(rpcUrl)
  const anvil: Anvil = { rpcUrl, rpc, pid: child.pid ?? 0, stop: () => stopChild(child, gone) }
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
    // A foreign node may hold the port: only our own child's chain id counts, and only while it lives.
    if (answered && !failure && Number(answered) === chainId) return
    await sleep(10)
  }
  throw startError(`no answer within ${startTimeoutMs / 1_000} s`, port)
}

function startError(failure: string, port: number): DevnetError {
  if (/address (already )?in use/i.test(failure)) return portTakenError(port)
  return new DevnetError('ANVIL_FAILED', `Anvil did not start: ${failure}.`)
}

function portTakenError(port: number): DevnetError {
  return new DevnetError(
    'PORT_TAKEN',
    `Port ${port} is taken by another program. Stop that program, or choose another first port with --port (0 takes free ones).`,
  )
}

async function stopChild(child: ChildProcess, gone: Promise<void>) {
  if (child.pid === undefined) return
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  const forced = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await gone
  clearTimeout(forced)
}

/** Binds the port for a moment: a taken one is told apart from any other failure of Anvil. */
async function claimPort(port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(portTakenError(port))
      else reject(new DevnetError('PORT_UNUSABLE', `Port ${port} cannot be used: ${error.code}.`))
    })
    server.listen(port, host, () => {
      const address = server.address()
      const claimed = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(claimed))
    })
  })
}

/** The npm platform package on Linux x64; elsewhere whatever `anvil` the PATH has. */
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
