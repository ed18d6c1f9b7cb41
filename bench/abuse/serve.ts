/** Runs the service in a separate process, to measure its memory and CPU time; reports them over IPC. */
import { startServer } from '@sluice/server'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'

export type Order = { rpcUrls: readonly string[] } | { do: 'report' }
/** Memory in bytes after garbage collection, and CPU time. */
export type Report = {
  url: string
  rss: number
  /** Memory in use: objects and buffers. */
  used: number
  /** CPU time since the start, in milliseconds. */
  cpuMs: number
}

let url = ''

process.on('message', async (order: Order) => {
  const cpu = process.cpuUsage()
  if ('rpcUrls' in order) {
    const server = await startServer({
      port: 0,
      deployments,
      rpcUrls: new Map([[chainId, order.rpcUrls]]),
      logLevel: 'silent',
      maxBlockAge: 'off',
      maxLoopDelayMs: 0,
    })
    url = server.url
  }
  for (let turn = 0; turn < 3; turn++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { external, heapUsed, rss } = process.memoryUsage()
  const cpuMs = (cpu.user + cpu.system) / 1_000
  process.send!({ url, rss, used: heapUsed + external, cpuMs } satisfies Report)
})
