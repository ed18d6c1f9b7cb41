import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '@sluice/engine'
import type { Metrics } from './metrics/createMetrics.js'
import type { Holdings } from './metrics/httpMetrics.js'

export type Admin = { readonly port: number; readonly stop: () => void }

/**
 * Serves `/metrics`, `/livez` and `/readyz` to the operator. Listens on loopback unless another host is set, since
 * these are not public.
 *
 * @throws the error if it cannot listen.
 */
export async function startAdmin(options: startAdmin.Options): Promise<Admin> {
  const { engine, holdings, isDraining, metrics } = options
  const look = async (path: string | undefined): Promise<[number, string, string?]> => {
    if (path === '/metrics')
      return [200, await metrics.text(engine, holdings()), metrics.contentType]
    if (path === '/livez') return [200, 'alive\n']
    if (path !== '/readyz') return [404, 'There is nothing at this path.\n']
    if (isDraining()) return [503, 'draining\n']
    if (await engine.isReady()) return [200, 'ready\n']
    return [503, 'no chain has a fresh head\n']
  }
  const server = createServer(async (incoming, outgoing) => {
    // A failing request must never end the service.
    const [status, text, type = 'text/plain'] = await look(incoming.url?.split('?')[0]).catch(
      () => [500, 'internal error\n'] as const,
    )
    outgoing.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

export declare namespace startAdmin {
  type Options = {
    /** 0 lets the system choose. */
    port: number
    host: string
    engine: Engine
    holdings: () => Holdings
    metrics: Metrics
    isDraining: () => boolean
  }
}
