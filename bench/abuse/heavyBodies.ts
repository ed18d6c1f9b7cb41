import { chainId } from '../chaos/encodePlan.js'

const kilobytes = 64 * 1024
const batch = '/api/quote/batch'
const prepare = '/api/quote/prepare'
const decode = '/api/quote/decode'

const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length))
const items = (count: number, item: (index: number) => object) =>
  JSON.stringify({ requests: Array.from({ length: count }, (_, index) => item(index)) })
const wrong = (index: number) => ({
  chain: 'base',
  in: `W${'E'.repeat(30)}`,
  out: '\u0405'.repeat(300),
  amountIn: '9'.repeat(900),
  slippageBps: `${index}x`,
  recipient: '0x'.padEnd(400, 'f'),
})

/** Bodies within the limits that cause as much work as their size allows. */
export const heavyBodies: Readonly<Record<string, { path: string; body: string }>> = {
  nothing: { path: batch, body: '{"requests":[]}' },
  brackets: { path: batch, body: fill('[', kilobytes - 1) },
  objects: { path: batch, body: fill('{"a":', kilobytes - 1) },
  shallowArrays: { path: batch, body: `{"requests":[${fill('[[[]]],', kilobytes - 100)}1]}` },
  members: {
    path: batch,
    body: `{${Array.from({ length: 6_000 }, (_, at) => `"k${at}":1`).join()}}`,
  },
  escapedMembers: {
    path: batch,
    body: `{${Array.from({ length: 2_000 }, (_, at) => `"\\u006b\\u006b${at}":1`).join()}}`,
  },
  oneNumber: { path: batch, body: `{"requests":[${'1'.repeat(kilobytes - 20)}]}` },
  escapes: { path: batch, body: `{"requests":["${'\\u0041'.repeat(10_000)}"]}` },
  wrongItems: { path: batch, body: items(10, wrong) },
  wrongPrepares: { path: prepare, body: items(32, wrong) },
  manyMembers: {
    path: prepare,
    body: items(32, (index) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`m${index}_${at}`, 1])),
    ),
  },
  decodes: {
    path: decode,
    body: JSON.stringify({
      items: Array.from({ length: 32 }, () => ({
        request: { schema: 1, chain: chainId, digest: `0x${'ab'.repeat(32)}` },
        result: `0x${'ab'.repeat(3_900)}`,
      })),
    }),
  },
}
