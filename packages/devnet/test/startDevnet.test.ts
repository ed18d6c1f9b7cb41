import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { chainSpecs } from '../src/chains.js'
import { type Devnet, startDevnet } from '../src/index.js'
import { marketOf } from '../src/market.js'
import { clientOf } from './clients.js'

const stateAbi = parseAbi([
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function liquidity() view returns (uint128)',
])

describe('startDevnet', () => {
  test('behavior: two starts give the same tokens, pools, reserves and addresses', async () => {
    const first = await snapshotOf({ port: 0, chainIds: [8453, 42161] })
    const second = await snapshotOf({ port: 0, chainIds: [8453, 42161] })
    expect(second).toEqual(first)
  })

  test('behavior: another seed gives different pools', () => {
    const market = (seed: number) => marketOf(chainSpecs[0]!, { seed })
    expect(market(1)).toEqual(market(1))
    market(2).forEach((pool, index) => {
      expect(pool).not.toEqual(market(1)[index])
    })
  })

  test('behavior: no process is left after stop', async () => {
    expect(nodes()).toBe(0)
    const devnet = await startDevnet({ port: 0, chainIds: [1, 10] })
    expect(nodes()).toBe(2)
    await devnet.stop()
    expect(nodes()).toBe(0)
    await expect(fetch(devnet.chains[0]!.rpcUrl)).rejects.toThrow()
  })

  test('error: the port is in use', async () => {
    const { server, port } = await listenAfterFreePort()
    await expect(startDevnet({ port: port - 1, chainIds: [1, 10] })).rejects.toThrow(
      `Port ${port} is taken by another program. Stop that program, or choose another first port with --port (0 picks free ports).`,
    )
    // The chain on the free port is stopped, too.
    expect(nodes()).toBe(0)
    server.close()
  })

  test('error: an unknown chain', async () => {
    await expect(startDevnet({ port: 0, chainIds: [5] })).rejects.toThrow(
      'The devnet has no chain 5; it has 8453, 1, 10, 42161, 4663.',
    )
  })

  test('error: the block time is not a whole number of seconds', async () => {
    await expect(startDevnet({ port: 0, blockTimeMs: 500 })).rejects.toThrow(
      'The block time must be a positive number of whole seconds.',
    )
  })
})

describe('the program', () => {
  test('behavior: Ctrl-C ends it with code 0 and leaves no process', async () => {
    const program = run(['devnet', '--port', '0', '--chains', '8453'])
    const text = await program.until(/Ready in/)
    const rpcUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0]
    expect(text).toContain('USDC    0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913   6 decimals')
    expect((await fetch(rpcUrl, { method: 'POST', body: '{}' })).status).toBeLessThan(500)

    program.child.kill('SIGINT')
    program.child.kill('SIGINT')
    expect(await program.exitCode).toBe(0)
    await expect(fetch(rpcUrl)).rejects.toThrow()
  })

  test('behavior: Ctrl-C while chains start leaves no process', async () => {
    const program = run(['devnet', '--port', '0'])
    await untilTrue(() => nodes(program.child.pid) > 0)
    const children = childrenOf(program.child.pid!)
    program.child.kill('SIGINT')
    expect(await program.exitCode).toBe(0)
    await untilTrue(() => children.every(({ pid }) => !isAlive(pid)))
  })

  test('error: an unknown mode', async () => {
    const program = run(['dance'])
    expect(await program.exitCode).toBe(1)
    expect(program.text()).toContain('Unknown mode "dance".')
  })
})

/**
 * A server that listens on a port whose predecessor is free. Both ports are below those that the system gives to other
 * tests that run now.
 */
async function listenAfterFreePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const [before, server] = await Promise.all([port - 1, port].map(listenOn))
    await new Promise((resolve) => (before ? before.close(resolve) : resolve(undefined)))
    if (before && server) return { server, port }
    server?.close()
  }
}

/** A server on this port; `undefined` if another program has the port. */
async function listenOn(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}

async function snapshotOf(options: Parameters<typeof startDevnet>[0]) {
  const devnet = await startDevnet(options)
  try {
    return { deployments: devnet.deployments, states: await statesOf(devnet) }
  } finally {
    await devnet.stop()
  }
}

async function statesOf({ chains }: Devnet) {
  const reads = chains.flatMap((chain) =>
    chain.pools.map(async (pool) => {
      // One contract holds all of these pools; the quotes depend on their prices.
      if (pool.kind === 'uniswapV4') return [pool]
      const read = (functionName: 'getReserves' | 'liquidity') =>
        clientOf(chain).readContract({ address: pool.address, abi: stateAbi, functionName })
      if (pool.kind === 'uniswapV2' || pool.kind === 'solidly')
        return [pool, ((await read('getReserves')) as readonly unknown[]).slice(0, 2)]
      if (pool.kind === 'curve') {
        const balance = (index: bigint) =>
          clientOf(chain).readContract({
            address: pool.address,
            abi: parseAbi(['function balances(uint256) view returns (uint256)']),
            functionName: 'balances',
            args: [index],
          })
        return [pool, await balance(0n), await balance(1n)]
      }
      if (pool.kind === 'balancerWeighted' || pool.kind === 'balancerStable') {
        const { data } = await clientOf(chain).call({
          to: pool.address,
          data: toFunctionSelector(
            pool.kind === 'balancerWeighted' ? 'getInvariant()' : 'getActualSupply()',
          ),
        })
        return [pool, data]
      }
      // The fields differ from venue to venue.
      const state = toFunctionSelector(pool.kind === 'algebra' ? 'globalState()' : 'slot0()')
      const { data } = await clientOf(chain).call({ to: pool.address, data: state })
      return [pool, data, await read('liquidity')]
    }),
  )
  return { tokens: chains.map(({ tokens }) => tokens), pools: await Promise.all(reads) }
}

/** Anvil processes that a program started. */
function nodes(parent = process.pid): number {
  return childrenOf(parent).filter(({ command }) => command === 'anvil').length
}

/** From the process table of Linux: `pid (command) state parent …`. */
function childrenOf(parent: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, command, parentPid] = /\((.*)\) \S (\d+)/.exec(statOf(pid)) ?? []
      return Number(parentPid) === parent ? [{ pid: Number(pid), command: command! }] : []
    })
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function untilTrue(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10))
}

function run(args: string[]) {
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=development', '--import', 'tsx', main, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let text = ''
  const collect = (chunk: Buffer) => {
    text += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exitCode = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    exitCode,
    text: () => text,
    async until(pattern: RegExp): Promise<string> {
      await untilTrue(() => pattern.test(text) || child.exitCode !== null)
      expect(text).toMatch(pattern)
      return text
    },
  }
}
