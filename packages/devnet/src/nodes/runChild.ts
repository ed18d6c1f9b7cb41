import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rpc } from '@sluice/deploy'

const startTimeoutMs = 20_000

/** Kills the program if this process ends without stopping it. Resolves once the program has ended. */
export function guard(child: ChildProcess): Promise<void> {
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  gone.then(() => process.off('exit', killNow))
  return gone
}

/** Waits until a node that is starting answers. Throws `failed` with the reason if it ends or takes too long. */
export async function untilReady(
  child: ChildProcess,
  rpc: Rpc,
  { chainId, failed }: { chainId: number; failed: (reason: string) => Error },
): Promise<void> {
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
    if (failure) throw failed(failure)
    const answered = await rpc.request<string>('eth_chainId').catch(() => undefined)
    // Another program's node may use the port: accept only our child's chain id, and only while it runs.
    if (answered && !failure && Number(answered) === chainId) return
    await sleep(10)
  }
  throw failed(`no answer within ${startTimeoutMs / 1_000} s`)
}
