import { fork } from 'node:child_process'
import { once } from 'node:events'
import { inRepository } from '../lib/repository.js'
import type { Order, Report } from './serve.js'

export type Service = {
  readonly url: string
  readonly report: () => Promise<Report>
  readonly isRunning: () => boolean
  readonly stop: () => Promise<void>
}

/** Starts the service on these nodes, in a separate process. */
export async function startService(rpcUrls: readonly string[]): Promise<Service> {
  const child = fork(inRepository('bench/abuse/serve.ts'), {
    execArgv: ['--expose-gc', '--conditions=development', '--import', 'tsx'],
  })
  const gone = once(child, 'exit')
  const tell = async (order: Order) => {
    child.send(order)
    const [report] = await once(child, 'message')
    return report as Report
  }
  const { url } = await tell({ rpcUrls })
  return {
    url,
    report: () => tell({ do: 'report' }),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
