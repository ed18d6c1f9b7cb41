import type { Quote } from '@sluice/sdk'
import type { Curve, CurvePoint, Unsplit } from '../effects/extras.js'
import { sidesOf } from '../machine/question.js'
import type { Token } from '../machine/State.js'
import { amountText, changeText } from './numbers.js'
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
          <Plot curve={curve!} points={points} quote={quote} tokens={{ tokenIn, tokenOut }} />
        ) : (
          <p class="hint">
            {curve === undefined ? 'Asking for other sizes …' : 'There are too few prices to draw.'}
          </p>
        )}
      </div>
      <dl class="facts-list unsplit">
        <UnsplitRow name="Best single pool" kind="single_pool" curve={curve} token={tokenOut} />
        <UnsplitRow name="Best path, not split" kind="single_path" curve={curve} token={tokenOut} />
      </dl>
    </section>
  )
}

/** What the trade would get without splitting, and how much less than the quote that is. */
function UnsplitRow({
  curve,
  kind,
  name,
  token,
}: {
  curve: Curve | undefined
  kind: Unsplit['kind']
  name: string
  token: Token
}) {
  const found = curve?.unsplit?.find((each) => each.kind === kind)
  const missing =
    curve === undefined ? '…' : curve.unsplit === undefined ? 'not known' : 'none takes all of it'
  return (
    <div>
      <dt>{name}</dt>
      {found === undefined ? (
        <dd>{missing}</dd>
      ) : (
        <dd title={`${found.amountOut} base units`}>
          {amountText(found.amountOut, token)} {plain(token.symbol, 12)}{' '}
          <strong>
            {found.amountOut === found.quoted
              ? 'the same'
              : changeText(found.quoted, found.amountOut)}
          </strong>
          <span class="hint">{found.venues.join(', then ')}</span>
        </dd>
      )}
    </div>
  )
}

type Sides = { tokenIn: Token; tokenOut: Token }

function Plot({
  curve,
  points,
  quote,
  tokens,
}: {
  curve: Curve
  points: readonly CurvePoint[]
  quote: Quote
  tokens: Sides
}) {
  const price = ({ amountIn, amountOut }: CurvePoint) =>
    (Number(amountOut) / Number(amountIn)) *
    10 ** ((tokens.tokenIn.decimals ?? 0) - (tokens.tokenOut.decimals ?? 0))
  const here = { amountIn: quote.amountIn, amountOut: quote.amountOut }
  const prices = [...points, here].map(price)
  // A pool that is far worse would press the curve flat, so it stands below in words alone.
  const drop = Math.max(...prices) - 2 * (Math.max(...prices) - Math.min(...prices))
  const pool = curve.unsplit?.find(({ kind }) => kind === 'single_pool')
  const single = pool && { amountIn: quote.amountIn, amountOut: pool.amountOut }
  const isNear = single !== undefined && price(single) > drop
  if (isNear) prices.push(price(single))
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
      {isNear && <circle class="single" cx={x(single)} cy={y(single)} r="4.5" />}
      {isNear && (
        <text class="halo" x={x(single) + 10} y={y(single) - 8}>
          one pool
        </text>
      )}
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
