import { fork } from 'node:child_process'
import { once } from 'node:events'
import { inRepository } from '../lib/repository.js'

/**
 * Holds three times as many sockets as `each`, which say nothing, or dribble their headers or their body. In a process of
 * its own, so that it takes no time from whoever measures.
 *
 * @returns The longest time for which one was held, in milliseconds.
 */
export async function holdSockets(url: string, each: number): Promise<number> {
  const child = fork(inRepository('bench/load/slowSockets.ts'), [url, `${each}`], {
    execArgv: ['--conditions=development', '--import', 'tsx'],
  })
  const [longest] = await once(child, 'message')
  child.disconnect()
  return longest as number
}
