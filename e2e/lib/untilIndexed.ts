import type { RunningServer } from '@sluice/server'

type Health = { chains: { poolsIndexed?: number }[] }

/** Waits until the service's index of pools has caught up with its first chain. @throws after ten seconds. */
export async function untilIndexed({ url }: Pick<RunningServer, 'url'>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { chains } = (await (await fetch(`${url}/api/health`)).json()) as Health
    if (chains[0]!.poolsIndexed !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The pool index did not catch up with the chain.')
}
