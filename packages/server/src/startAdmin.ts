import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '@sluice/engine'
import type { Metrics } from './metrics.js'

export type Admin = { readonly port: number; readonly stop: () => void }

/**
 * What the operator's own machines ask: `/metrics`, `/livez` and `/readyz`. On loopback alone, since nothing here is for
 * the public.
 */
export async function startAdmin(options: startAdmin.Options): Promise<Admin> {
  const { engine, isDraining, metrics } = options
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url?.split('?')[0]
    const answer = (status: number, text: string, type = 'text/plain') =>
      outgoing.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    if (path === '/metrics') answer(200, await metrics.text(engine), metrics.contentType)
    else if (path === '/livez') answer(200, 'alive\n')
    else if (path !== '/readyz') answer(404, 'There is nothing at this path.\n')
    else if (isDraining()) answer(503, 'draining\n')
    else if (await engine.isReady()) answer(200, 'ready\n')
    else answer(503, 'no chain has a fresh head\n')
  })
  server.listen(options.port, '127.0.0.1')
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
    engine: Engine
    metrics: Metrics
    isDraining: () => boolean
  }
}
