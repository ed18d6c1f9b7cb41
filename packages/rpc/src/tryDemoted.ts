import { type Failure, isNodesFault } from './failures.js'
import { rankUpstreams } from './rankUpstreams.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * Sends a copy of a request to demoted nodes now and then, and waits for no answer: a node that has recovered comes
 * back, and no caller pays for one that has not.
 *
 * Sends nothing if all nodes are demoted, because requests go to them anyway.
 *
 * @param send Makes the request, and says why it is not settled, or `undefined` if it is. Never rejects.
 */
export function tryDemoted(
  upstreams: readonly Upstream[],
  send: (upstream: Upstream) => Promise<Failure | undefined>,
): void {
  const ranked = rankUpstreams(upstreams, performance.now())
  if (ranked[0] === undefined || Standing.isDemoted(ranked[0].standing)) return
  for (const upstream of ranked) {
    const { standing } = upstream
    if (!Standing.takesProbe(standing, performance.now())) continue
    void send(upstream).then((failure) => {
      // A revert without a second opinion speaks neither for the node nor against it.
      if (failure === undefined) Standing.succeed(standing, performance.now())
      else if (isNodesFault(failure)) Standing.fail(standing, performance.now())
    })
  }
}
