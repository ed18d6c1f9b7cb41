/** Programs of an application that installs the published packages. */

/** TypeScript, as an ES module. */
export const esModule = `
import { run } from '@sluice/cli'
import { createFetch } from '@sluice/mcp'
import { createClient, getQuote, IntegrityError, type Quote } from '@sluice/sdk'
import { withUndeployed } from '@sluice/sdk/undeployed'
import { readRegistry, verifyTransaction } from '@sluice/sdk/verify'
import { send } from '@sluice/sdk/viem'
const client = createClient({ baseUrl: 'http://127.0.0.1:8080' })
const trade = { chain: 8453, in: 'WETH', out: 'USDC', amountIn: 1n, recipient: '0x' } as const
const quote: Quote = await getQuote(client, trade)
const amountOut: bigint = quote.amountOut
const pool: \`0x\${string}\` | undefined = quote.route.legs[0]?.pool
// @ts-expect-error An amount must not be a number.
await getQuote(client, { ...trade, amountIn: 1 })
// @ts-expect-error The name is wrong.
await getQuote(client, { ...trade, slippage: 1 })
const serve: (request: Request) => Promise<Response> = createFetch({ client })
// @ts-expect-error The client is missing.
createFetch({})
const exitCode: Promise<number> = run(['--version'], {
  stdout: () => {},
  stderr: () => {},
  isTty: false,
  env: {},
  readFile: () => '',
})
export { amountOut, exitCode, IntegrityError, pool, readRegistry, send, serve, verifyTransaction, withUndeployed }
`

/** TypeScript, as a CommonJS module. */
export const commonJs = `
import sdk = require('@sluice/sdk')
import verify = require('@sluice/sdk/verify')
const client: sdk.Client = sdk.createClient({ baseUrl: 'http://127.0.0.1:8080' })
export const registry: verify.Registry = verify.readRegistry({})
export const quote: Promise<sdk.Quote> = sdk.getQuote(client, { chain: 1, in: 'ETH', out: 'USDC', amountIn: 1n })
`

/** Returns the calldata of a quote: prepared by the service at \`url\`, and without the service. */
const preparing = `
async (url) => {
  const client = createClient({ baseUrl: url })
  const trade = { chain: 'base', in: 'ETH', out: 'USDC', amountIn: 10n ** 18n }
  const registry = readRegistry(await getManifest(client))
  const { call } = await prepareQuote(client, trade)
  return [call.data, prepare(trade, { registry }).call.data]
}`

const imports = `
import { createClient, getManifest, prepareQuote } from '@sluice/sdk'
import { prepare, readRegistry } from '@sluice/sdk/verify'`

/** JavaScript programs that print the calldata as JSON. The argument is the URL of the service. */
export const programs = {
  'ES module': [
    'run.mjs',
    `${imports}\nconsole.log(JSON.stringify(await (${preparing})(process.argv[2])))`,
  ],
  'CommonJS module': [
    'run.cjs',
    `const { createClient, getManifest, prepareQuote } = require('@sluice/sdk')
const { prepare, readRegistry } = require('@sluice/sdk/verify')
;(${preparing})(process.argv[2]).then((data) => console.log(JSON.stringify(data)))`,
  ],
} as const

/** Browser program that a bundler packs: puts a function into the page. */
export const browser = `${imports}\nglobalThis.preparing = ${preparing}`

/** Page that loads the root entry from the installed files, without a bundler. */
export const unbundled = `
<script type="importmap">{ "imports": { "@sluice/sdk": "/node_modules/@sluice/sdk/index.js" } }</script>
<script type="module">
import * as sdk from '@sluice/sdk'
globalThis.sdk = sdk
</script>`

/** Errors thrown by one entry are instances of the classes of another. */
export const classes = `
import { DecodeError } from '@sluice/sdk'
import { readRegistry } from '@sluice/sdk/verify'
try { readRegistry(undefined) } catch (error) { console.log(error instanceof DecodeError) }
`
