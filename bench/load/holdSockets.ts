import { fork } from 'node:child_process'
import { once } from 'node:events'
import { inRepository } from '../lib/repository.js'

/**
 * Holds three times `each` sockets, which send nothing, or their headers slowly, or their body slowly. Runs in a separate
 * process, so that it does not affect the measurement.
 *
 * @returns The longest time that a socket stayed open, in milliseconds.
 */
export async function holdSockets(url: string, each: number): Promise<number> {
  const child = fork(inRepository('bench/load/slowSockets.ts'), [url, `${each}`], {
    execArgv: ['--conditions=development', '--import', 'tsx'],
  })
  const [longest] = await once(child, 'message')
  child.disconnect()
  return longest as number
}
