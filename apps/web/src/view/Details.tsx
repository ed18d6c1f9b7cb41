import type { Quote } from '@sluice/sdk'
import { jsonText, percentText } from '../format.js'
import { sidesOf } from '../machine/question.js'
import type { Shown, Token } from '../machine/State.js'
import { amountText, gapText } from './numbers.js'
import { Copyable, plain } from './parts.js'
import type { Props } from './store.js'

/** Each number with what it means, the exact call for others to repeat, the raw answer. */
export function Details({ boot, shown, state }: Props & { shown: Shown }) {
  const { tokenOut } = sidesOf(state)
  const { parameters, quote } = shown
  const url = `${boot.client.baseUrl}/api/quote?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`
  return (
    <>
      <dl class="numbers">
        {rowsOf(quote, tokenOut).map(({ exact, name, value, why }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number" title={exact}>
              {value}
            </dd>
            <dd class="why">{why}</dd>
          </div>
        ))}
      </dl>
      <h3>Repeat it</h3>
      <Copyable title="The service, with curl" text={`curl '${url}'`} />
      {quote.meta?.call !== undefined && (
        <Copyable title="Your node, with cast" text={castText(quote)} />
      )}
      {quote.meta?.call !== undefined && (
        <Copyable title="Your node, with curl" text={callText(quote)} />
      )}
      <Copyable title="With the SDK" text={sdkText(shown)} />
      <details>
        <summary>Raw answer</summary>
        <pre tabIndex={0} role="region" aria-label="Raw answer">
          {jsonText(quote)}
        </pre>
      </details>
    </>
  )
}

type Row = {
  readonly name: string
  readonly value: string
  readonly why: string
  readonly exact?: string
}

function rowsOf(quote: Quote, token: Token): readonly Row[] {
  const numbers = quote.quote
  if (numbers === undefined) return []
  const amount = (name: string, base: bigint | null | undefined, why: string): Row[] =>
    typeof base === 'bigint'
      ? [
          {
            name,
            value: `${amountText(base, token)} ${plain(token.symbol, 12)}`,
            exact: `${base} base units`,
            why,
          },
        ]
      : []
  return [
    ...amount('Gross output', numbers.grossOut, "What the route's swaps deliver."),
    ...amount(
      'Protocol fee',
      numbers.protocolFee,
      `${percentText(numbers.feeBps)} of the gross output, rounded down.`,
    ),
    ...amount(
      'Net output',
      numbers.netOut,
      'What the recipient is paid: the figure to compare with others.',
    ),
    ...amount(
      'Least you receive',
      numbers.effectiveMinOut,
      'The transaction reverts below it: the higher of your minimum and the floor.',
    ),
    ...amount(
      'Protocol floor',
      numbers.ironFloor,
      'The Router lets nothing less through for this route, whatever the transaction says.',
    ),
    {
      name: 'Price impact',
      value: percentText(numbers.impactBps),
      why: "What the size of the trade costs, against the same pools' prices before it.",
    },
    ...amount(
      'Integrator’s fee',
      numbers.integratorFee,
      `${percentText(numbers.integratorFeeBps ?? 0)} of the gross output, for whoever sent you here.`,
    ),
    ...amount(
      'Upper bound',
      numbers.upperBound,
      'No routing over the pools that were read delivers more, before the fee.',
    ),
    gapRow(numbers),
    {
      name: 'Gas',
      value: `about ${numbers.estGas.toLocaleString('en')}`,
      why: `For the whole transaction: ${numbers.legs} ${numbers.legs === 1 ? 'swap' : 'swaps'}, ${numbers.hops} deep.`,
    },
    ...amount(
      'Gas cost',
      numbers.gasCostOut ?? undefined,
      `At ${numbers.gasPriceWei ?? '?'} wei each. You pay it in the chain's coin; the route counts it.`,
    ),
    ...(quote.meta?.blockNumber === undefined
      ? []
      : [
          {
            name: 'Block',
            value: String(quote.meta.blockNumber),
            why: 'The state that all of it was computed on.',
          },
        ]),
  ]
}

function gapRow({ gapBps, truncated }: NonNullable<Quote['quote']>): Row {
  const cut = truncated ? ' A limit cut the search off.' : ''
  if (gapBps === null || gapBps === undefined)
    return {
      name: 'Gap to the bound',
      value: 'not known',
      why: `Part of a pool that could matter was not read.${cut}`,
    }
  return {
    name: 'Gap to the bound',
    value: gapText(gapBps),
    exact: `${gapBps} basis points`,
    why: `How far this route can be from the best there is, in basis points (0.01 %).${cut}`,
  }
}

function blockHex(quote: Quote): string {
  return `0x${quote.meta!.call!.blockNumber.toString(16)}`
}

function callText(quote: Quote): string {
  const { data, gas, stateOverride, to } = quote.meta!.call!
  const params = [
    { to, data, gas },
    blockHex(quote),
    ...(stateOverride === undefined ? [] : [stateOverride]),
  ]
  return `curl "$RPC_URL" -H 'content-type: application/json' -d '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })}'`
}

function castText(quote: Quote): string {
  const { data, gas, stateOverride, to } = quote.meta!.call!
  const params = [
    JSON.stringify({ to, data, gas }),
    JSON.stringify(blockHex(quote)),
    ...(stateOverride === undefined ? [] : [JSON.stringify(stateOverride)]),
  ]
  return `cast rpc --rpc-url "$RPC_URL" eth_call ${params.map((each) => `'${each}'`).join(' ')}`
}

function sdkText({ parameters, quote }: Shown): string {
  const lines = Object.entries(parameters).map(
    ([name, value]) =>
      `  ${name}: ${typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)},`,
  )
  return [
    "import { createClient, getQuote } from '@sluice/sdk'",
    "import { repeatQuote } from '@sluice/sdk/viem'",
    '',
    'const quote = await getQuote(client, {',
    ...lines,
    '})',
    `const { isSame } = await repeatQuote(yourNode, quote, { registry }) // of block ${quote.meta?.blockNumber ?? '?'}`,
  ].join('\n')
}
