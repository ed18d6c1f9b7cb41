import { type FakeMarket, startFakeMarket } from '../../packages/engine/test/fakeMarket.js'

/** A market-data source that gives the answers of the one at `honestUrl`, with `rows` mixed in first. */
export async function startMixedMarket(honestUrl: string, rows: object[]): Promise<FakeMarket> {
  const market = await startFakeMarket()
  market.listen = async (request, response) => {
    const honest = await fetch(honestUrl + request.url)
    const body = (await honest.json()) as object[] | { pairs: object[] }
    const mixed = Array.isArray(body) ? [...rows, ...body] : { pairs: [...rows, ...body.pairs] }
    response.end(JSON.stringify(mixed))
  }
  return market
}
