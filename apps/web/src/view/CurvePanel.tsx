import type { Quote } from '@sluice/sdk'
import type { CurvePoint } from '../effects/extras.js'
import { sidesOf } from '../machine/question.js'
import type { Token } from '../machine/State.js'
import { plain } from './parts.js'
import type { Props } from './store.js'

const [width, height, bottom, top, right] = [460, 200, 30, 12, 14]
/** Width of a digit of the axis in the picture's units, on a phone, where the text is larger. */
const digitWidth = 9.4

/** Price against size: what one token gets, from a small part of this trade to four times its size. */
export function CurvePanel({ extras, quote, state }: Props & { quote: Quote }) {
  const curve = extras.curveOf(quote)
  const { tokenIn, tokenOut } = sidesOf(state)
  const points = (curve?.points ?? []).filter(({ amountOut }) => amountOut > 0n)
  return (
    <section class="panel" aria-labelledby="curve-title">
      <div class="panel-top">
        <h2 id="curve-title">Price against size</h2>
        <span class="hint">
          {plain(tokenOut.symbol, 10)} for one {plain(tokenIn.symbol, 10)}
        </span>
      </div>
      <div class="curve-box">
        {points.length > 2 ? (
          <Plot points={points} quote={quote} tokens={{ tokenIn, tokenOut }} />
        ) : (
          <p class="hint">
            {curve === undefined ? 'Asking for other sizes …' : 'There are too few prices to draw.'}
          </p>
        )}
      </div>
    </section>
  )
}

type Sides = { tokenIn: Token; tokenOut: Token }

function Plot({
  points,
  quote,
  tokens,
}: {
  points: readonly CurvePoint[]
  quote: Quote
  tokens: Sides
}) {
  const price = ({ amountIn, amountOut }: CurvePoint) =>
    (Number(amountOut) / Number(amountIn)) *
    10 ** ((tokens.tokenIn.decimals ?? 0) - (tokens.tokenOut.decimals ?? 0))
  const here = { amountIn: quote.amountIn, amountOut: quote.amountOut }
  const prices = [...points, here].map(price)
  const [most, least] = [Math.max(...prices), Math.min(...prices)]
  const room = Math.max(most - least, most * 0.0005)
  const center = (most + least) / 2
  const ticks = [center + room / 2, center, center - room / 2]
  const left = 16 + digitWidth * Math.max(...ticks.map((each) => shortPrice(each).length))
  const [high, low] = [center + room * 0.62, center - room * 0.62]
  const widest = Math.max(...points.map(({ amountIn }) => Number(amountIn)))
  const x = ({ amountIn }: CurvePoint) =>
    left + (Number(amountIn) / widest) * (width - left - right)
  const y = (point: CurvePoint) =>
    top + ((high - price(point)) / (high - low)) * (height - top - bottom)
  const line = points
    .map(
      (point, index) => `${index === 0 ? 'M' : 'L'}${x(point).toFixed(1)} ${y(point).toFixed(1)}`,
    )
    .join('')
  const words = `The price falls from ${shortPrice(most)} for a small part of this trade to ${shortPrice(least)} for four times its size; this trade gets ${shortPrice(price(here))}.`
  return (
    <svg class="curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      {ticks.map((each) => {
        const at = top + ((high - each) / (high - low)) * (height - top - bottom)
        return (
          <g key={each}>
            <line class="grid" x1={left} x2={width - right} y1={at} y2={at} />
            <text x={left - 8} y={at + 4} text-anchor="end">
              {shortPrice(each)}
            </text>
          </g>
        )
      })}
      <path
        class="area"
        d={`${line}L${x(points.at(-1)!).toFixed(1)} ${height - bottom}L${x(points[0]!).toFixed(1)} ${height - bottom}Z`}
      />
      <path class="line" d={line} />
      <line class="here-line" x1={x(here)} x2={x(here)} y1={y(here)} y2={height - bottom} />
      <circle class="here" cx={x(here)} cy={y(here)} r="5" />
      <text x={x(here)} y={height - 10} text-anchor="middle" class="strong">
        this trade
      </text>
      <text x={width - right} y={height - 10} text-anchor="end">
        4 ×
      </text>
    </svg>
  )
}

function shortPrice(price: number): string {
  return price.toLocaleString('en', { maximumSignificantDigits: 6 })
}
