import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRpc, type Rpc } from '@sluice/deploy'
import { anvilPath } from '@sluice/devnet'

const host = '127.0.0.1'

export type Node = { url: string; rpc: Rpc; stop(): Promise<void> }

/** Starts a fresh development node on a free port. It mines each transaction at once. */
export async function startNode(chainId = 31_337): Promise<Node> {
  const port = await freePort()
  const child = spawn(
    anvilPath(),
    [
      '--host',
      host,
      '--port',
      `${port}`,
      '--chain-id',
      `${chainId}`,
      '--silent',
      '--prune-history',
      '--gas-limit',
      '200000000',
    ],
    { stdio: 'ignore' },
  )
  const gone = once(child, 'close')
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const url = `http://${host}:${port}`
  const rpc = createRpc(url, { timeoutMs: 120_000 })
  for (let tries = 0; ; ++tries) {
    try {
      await rpc.request('eth_chainId')
      break
    } catch (error) {
      if (tries === 200 || child.exitCode !== null) throw error
      await sleep(25)
    }
  }
  return {
    url,
    rpc,
    async stop() {
      child.kill('SIGTERM')
      await gone
      process.off('exit', killNow)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port to listen on')
  server.close()
  return address.port
}
