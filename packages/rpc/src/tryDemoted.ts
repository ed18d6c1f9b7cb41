import { type Failure, isNodesFault } from './failures.js'
import { rankUpstreams } from './rankUpstreams.js'
import * as Standing from './Standing.js'
import type { Upstream } from './Upstream.js'

/**
 * Sends copies of some requests to demoted nodes without waiting for the responses. So a recovered node is restored, and no
 * caller waits for a broken one.
 *
 * Sends nothing if all nodes are demoted, because they get the requests anyway.
 *
 * @param send Sends the request to a node. Returns the failure, or `undefined` if it succeeded. Never rejects.
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
      // A revert that no second node confirmed counts neither for the node nor against it.
      if (failure === undefined) Standing.succeed(standing, performance.now())
      else if (isNodesFault(failure)) Standing.fail(standing, performance.now())
    })
  }
}
