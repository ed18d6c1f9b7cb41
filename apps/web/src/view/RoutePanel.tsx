import { RouteDrawing, VenueNames } from '@sluice/domain'
import type { Quote } from '@sluice/sdk'
import { Fragment } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { tokenOf } from '../machine/question.js'
import { nativeCoin } from '../machine/State.js'
import { plain } from './parts.js'
import type { Props } from './store.js'

/** The route as bands from token to token, the same in words, and the same as a table. */
export function RoutePanel(props: Props & { quote: Quote }) {
  const { quote } = props
  const { route } = quote
  const [room, width] = useRoom()
  const names = namesFor(props)
  const drawing = RouteDrawing.from(route, {
    ...(width > 0 && { width }),
    nameToken: names.token,
    nameLeg: (index) => names.venue(route.legs[index]!),
  })
  return (
    <section class="panel" aria-labelledby="route-title">
      <div class="panel-top">
        <h2 id="route-title">Route</h2>
        <span class="hint">
          {route.legs.length} {route.legs.length === 1 ? 'swap' : 'swaps'}, {quote.quote?.hops ?? 1}{' '}
          deep
        </span>
      </div>
      <div ref={room} class="drawing" tabIndex={0} role="region" aria-label="Drawing of the route">
        <Drawing drawing={drawing} legs={route.legs.length} />
      </div>
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

function Drawing({ drawing, legs }: { drawing: RouteDrawing.RouteDrawing; legs: number }) {
  const { edges, height, tokens, width } = drawing
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`Route over ${legs} ${legs === 1 ? 'swap' : 'swaps'}; the lists below say the same`}
    >
      {edges.map(({ legs: own, path, thickness }, index) => (
        <path key={own.join()} class={`band band${index % 4}`} d={path} stroke-width={thickness} />
      ))}
      {edges.map(({ legs: own, lines }) => (
        <text key={own.join()} class="bandname" text-anchor="middle">
          {lines.map(({ isShare, text, x, y }) => (
            <Fragment key={y}>
              <tspan x={x} y={y} class={isShare ? 'share' : undefined}>
                {text}
              </tspan>{' '}
            </Fragment>
          ))}
        </text>
      ))}
      {tokens.map((box) => (
        <g key={box.token} class="tokenbox">
          <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={8} />
          <text x={box.x + box.width / 2} y={box.y + box.height / 2 + 5} text-anchor="middle">
            {box.name}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** The room of an element from left to right, in whole pixels, kept through every change of the screen. */
function useRoom() {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => setRoom(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, room] as const
}

function wordsOf(
  { route }: Quote,
  { edges }: RouteDrawing.RouteDrawing,
  names: Names,
): readonly string[] {
  return edges.map(({ legs, name, percent }) => {
    const leg = route.legs[legs[0]!]!
    return `${percent} % of the trade goes from ${names.token(leg.tokenIn)} to ${names.token(leg.tokenOut)} over ${name}.`
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
