import { type FakeMarket, startFakeMarket } from '../../packages/engine/test/fakeMarket.js'

/** Starts a market-data source that returns `rows` and then the rows of the source at `honestUrl`. */
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
