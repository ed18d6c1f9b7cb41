import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A market data source that answers as the test says. */
export type FakeMarket = {
  readonly url: string
  /** Requested paths with their queries. */
  readonly asked: string[]
  /** The response to every request: a JSON body, or a listener for anything else. */
  answer: unknown
  listen: RequestListener | undefined
  close: () => Promise<void>
}

export async function startFakeMarket(answer: unknown = []): Promise<FakeMarket> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (market.listen) return market.listen(request, response)
    response.setHeader('content-type', 'application/json')
    const { answer: body } = market
    return response.end(JSON.stringify(typeof body === 'function' ? body(request.url) : body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const market: FakeMarket = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    listen: undefined,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return market
}
