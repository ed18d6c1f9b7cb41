import { badgeResponse, solvencyResponse } from '@sluice/api'
import { describe, expect, test } from 'vitest'
import { encodeReport, sound } from '../../engine/test/staking.js'
import { ask, startService } from '../test/harness.js'
import { startWithStaking } from '../test/staking.js'

describe('GET /api/badge', () => {
  const shared = { schemaVersion: 1, label: 'solvency' }
  const grey = { color: 'lightgrey', isError: true }

  test('default: solvent is green', async () => {
    const { url } = await startWithStaking()
    const { body, headers, status } = await ask(`${url}/api/badge`)
    expect([status, body]).toEqual([200, { ...shared, message: 'solvent', color: 'brightgreen' }])
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-if-error=600')
  })

  test('behavior: insolvent is red', async () => {
    const { url } = await startWithStaking('short')
    const { body } = await ask(`${url}/api/badge`)
    expect(body).toEqual({ ...shared, message: 'insolvent', color: 'red', isError: true })
  })

  test('behavior: not deployed is gray', async () => {
    const { url } = await startService()
    expect((await ask(`${url}/api/badge`)).body).toEqual({
      ...shared,
      ...grey,
      message: 'not deployed',
    })
  })

  test.each(['hang', 'html', 'empty', 'not hex', 'reset'] as const)(
    'error: unknown if a node is in state %s',
    async (fault) => {
      const { node, url } = await startWithStaking()
      node.fault = fault
      const { body, status } = await ask(`${url}/api/badge`)
      expect([status, body]).toEqual([200, { ...shared, ...grey, message: 'unknown' }])
      expect(badgeResponse.safeParse(body).success).toBe(true)
    },
  )

  test('error: refuses parameters', async () => {
    const { url } = await startService()
    expect(await ask(`${url}/api/badge?color=green`)).toMatchObject({
      status: 400,
      body: { code: 'bad_param' },
    })
  })
})

describe('GET /api/solvency', () => {
  test('default: the reading and the call that repeats it', async () => {
    const { url } = await startWithStaking()
    const { body, headers } = await ask(`${url}/api/solvency`)
    const report = solvencyResponse.parse(body)
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=5')
    expect(report.status).toBe('solvent')
    expect(report.generations.map(({ name, status, version }) => [name, version, status])).toEqual([
      ['Base', '1.0.0', 'not_deployed'],
      ['Base', '2.0.0', 'solvent'],
      ['Bench', '1.0.0', 'not_deployed'],
      ['Arbitrum', '1.0.0', 'not_deployed'],
    ])
    const { reading, staking } = report.generations[1]!
    expect(reading!.raw.solvency).toBe(encodeReport(sound))
    expect(reading!.rpcRequest.params).toEqual([
      { to: staking, data: '0x773c5049' },
      { blockHash: reading!.blockHash },
    ])
    expect(reading!.curl).toContain(JSON.stringify(reading!.rpcRequest))
    expect(reading!.curl).toMatch(/ "\$RPC_URL"$/)
    expect(reading!.cast).toBe(
      `cast call ${staking} 'solvency()((uint256,uint256,uint256,uint256,bool,uint256,uint256,uint256,uint256))' --block 100 --rpc-url "$RPC_URL"`,
    )
    expect(reading!.ledger.map(({ held, symbol, t1, t2 }) => [symbol, held, t1, t2])).toEqual([
      ['SLU', '101', '70', '30'],
      ['WETH', '103', '70', '30'],
      ['USDC', '105', '70', '30'],
    ])
  })

  test('behavior: serves the ABI that each generation names', async () => {
    const { url } = await startWithStaking()
    const { generations } = solvencyResponse.parse((await ask(`${url}/api/solvency`)).body)
    for (const { abi, version } of generations)
      expect([version, (await ask(url + abi)).body['contract']]).toEqual([version, 'staking'])
  })

  test('behavior: its call returns the raw words that it shows', async () => {
    const { node, url } = await startWithStaking()
    const { generations } = solvencyResponse.parse((await ask(`${url}/api/solvency`)).body)
    const { raw, rpcRequest } = generations[1]!.reading!
    const answer = await ask(node.url, { method: 'POST', body: JSON.stringify(rpcRequest) })
    expect(answer.body).toEqual({ jsonrpc: '2.0', id: 1, result: raw.solvency })
  })

  test('behavior: only a devnet publishes the URL of its node', async () => {
    const { node, url } = await startWithStaking('sound', { publishRpc: true })
    const text = await (await fetch(`${url}/api/solvency`)).text()
    expect(text).toContain(`\${RPC_URL:-${node.url}}`)
    const other = await startWithStaking()
    expect(await (await fetch(`${other.url}/api/solvency`)).text()).not.toContain(other.node.url)
    expect(await (await fetch(`${other.url}/solvency`)).text()).not.toContain(other.node.url)
  })

  test('error: an unreadable contract has a code and no numbers', async () => {
    const { url } = await startWithStaking('absent')
    const { body, status } = await ask(`${url}/api/solvency`)
    expect(status).toBe(200)
    const generation = solvencyResponse.parse(body).generations[1]!
    expect(generation).toMatchObject({
      status: 'unknown',
      reading: null,
      history: [],
      problem: { code: 'bad_result' },
    })
  })
})

describe('load', () => {
  test('behavior: a thousand requests for all three read the node once in five seconds', async () => {
    const { node, url } = await startWithStaking()
    const paths = ['/solvency', '/api/solvency', '/api/badge']
    const startedAt = performance.now()
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const answer = await fetch(url + paths[index % 3])
          expect(answer.status).toBe(200)
          await answer.arrayBuffer()
        }),
      )
    const readings = 1 + Math.floor((performance.now() - startedAt) / 5_000)
    // solvency(), isSolvent() and three lines of the ledger; balances and probes are not counted.
    expect(node.calls.get('eth_call')).toBeLessThanOrEqual(5 * readings)
  })
})
