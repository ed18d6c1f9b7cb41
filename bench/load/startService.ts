import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { inRepository } from '../lib/repository.js'
import type { Order, Report } from './serve.js'

export type Service = {
  readonly tell: (order: Order) => Promise<Report>
  readonly child: ChildProcess
  /** @returns The exit code. */
  readonly stop: () => Promise<number | null>
}

/** Starts the service in a separate process, so that clients do not use its CPU time. */
export async function startService(): Promise<Service> {
  const child = fork(inRepository('bench/load/serve.ts'), {
    execArgv: ['--expose-gc', '--conditions=development', '--import', 'tsx'],
  })
  const gone = once(child, 'exit')
  await once(child, 'message')
  return {
    child,
    async tell(order) {
      child.send(order)
      const [report] = await once(child, 'message')
      return report as Report
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await gone
      return code as number | null
    },
  }
}
