import { RouteDrawing, VenueNames } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import { tokenOf } from '../machine/question.js'
import { nativeCoin } from '../machine/State.js'
import { plain } from './parts.js'
import type { Props } from './store.js'

/** The route as bands from token to token, the same in words, and the same as a table. */
export function RoutePanel(props: Props & { quote: Quote; isNarrow: boolean }) {
  const { isNarrow, quote } = props
  const { route } = quote
  const drawing = RouteDrawing.from(route, { isVertical: isNarrow, maxLegs: isNarrow ? 3 : 6 })
  const names = namesFor(props)
  return (
    <section class="panel" aria-labelledby="route-title">
      <div class="panel-top">
        <h2 id="route-title">Route</h2>
        <span class="hint">
          {route.legs.length} {route.legs.length === 1 ? 'swap' : 'swaps'}, {quote.quote?.hops ?? 1}{' '}
          deep
        </span>
      </div>
      <Drawing drawing={drawing} names={names} isNarrow={isNarrow} route={route} />
      <details>
        <summary>In words</summary>
        <ol class="plainlist">
          {wordsOf(quote, drawing, names).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ol>
      </details>
      <details>
        <summary>As a table</summary>
        <LegTable quote={quote} names={names} />
      </details>
    </section>
  )
}

type Names = { token: (address: string) => string; venue: (leg: Leg) => string }
type Leg = Quote['route']['legs'][number]

function namesFor({ boot, quote, state }: Props & { quote: Quote }): Names {
  const { chainId } = quote
  const wrapped = boot.chains
    .find((chain) => chain.chainId === chainId)
    ?.wrappedNative.toLowerCase()
  const { trade } = state
  return {
    token(address) {
      const isCoin =
        address.toLowerCase() === wrapped &&
        ((trade.tokenIn === nativeCoin && address === quote.tokenIn) ||
          (trade.tokenOut === nativeCoin && address === quote.tokenOut))
      return isCoin ? 'ETH' : plain(tokenOf(state, chainId, address).symbol, 10)
    },
    venue: VenueNames.ofLeg,
  }
}

function Drawing(props: {
  drawing: RouteDrawing.RouteDrawing
  names: Names
  isNarrow: boolean
  route: Quote['route']
}) {
  const { drawing, isNarrow, names, route } = props
  const { edges, height, tokens, width } = drawing
  return (
    <div class="drawing" tabIndex={0} role="region" aria-label="Drawing of the route">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`Route over ${route.legs.length} swaps; the lists below say the same`}
      >
        {edges.map(({ legs, path, thickness }, index) => (
          <path
            key={legs.join()}
            class={`band band${index % 4}`}
            d={path}
            stroke-width={thickness}
          />
        ))}
        {edges.map(({ label, legs, percent }) => {
          const leg = route.legs[legs[0]!]!
          const name = legs.length > 1 ? `${legs.length} more pools` : names.venue(leg)
          return isNarrow ? (
            <text
              key={legs.join()}
              class="bandname"
              x={label.x}
              y={label.y - 2}
              text-anchor="middle"
            >
              <tspan x={label.x}>{name}</tspan>
              <tspan x={label.x} dy="15" class="share">
                {percent} %
              </tspan>
            </text>
          ) : (
            <text
              key={legs.join()}
              class="bandname"
              x={label.x}
              y={label.y + 4}
              text-anchor="middle"
            >
              {name} <tspan class="share">{percent} %</tspan>
            </text>
          )
        })}
        {tokens.map((box) => (
          <g key={box.token} class="tokenbox">
            <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={8} />
            <text x={box.x + box.width / 2} y={box.y + box.height / 2 + 5} text-anchor="middle">
              {names.token(box.token)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  )
}

function wordsOf(
  { route }: Quote,
  { edges }: RouteDrawing.RouteDrawing,
  names: Names,
): readonly string[] {
  return edges.map(({ legs, percent }) => {
    const leg = route.legs[legs[0]!]!
    const where = legs.length > 1 ? `${legs.length} pools` : names.venue(leg)
    return `${percent} % of the trade goes from ${names.token(leg.tokenIn)} to ${names.token(leg.tokenOut)} over ${where}.`
  })
}

function LegTable({ names, quote }: { quote: Quote; names: Names }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Swaps of the route">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Venue</th>
            <th scope="col">Pool</th>
          </tr>
        </thead>
        <tbody>
          {quote.route.legs.map((leg, index) => (
            <tr key={index}>
              <td>{names.token(leg.tokenIn)}</td>
              <td>{names.token(leg.tokenOut)}</td>
              <td>{names.venue(leg)}</td>
              <td>
                <code>{leg.pool}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
