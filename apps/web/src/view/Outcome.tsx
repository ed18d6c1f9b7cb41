import { shortAmountText } from '../format.js'
import { sheetButtonOf } from '../machine/button.js'
import { minOutOf, soldOf } from '../machine/facts.js'
import { sidesOf } from '../machine/question.js'
import type { Activity } from '../machine/State.js'
import { agoText, amountText, changeText } from './numbers.js'
import { Icon, Note, plain, Sheet } from './parts.js'
import type { Props } from './store.js'

/** What became of what was signed: pending, delivered beside quoted, or why not. */
export function Outcome(props: Props) {
  const { dispatch, state } = props
  const { step } = state
  if (step.at === 'wallet') return <WalletOpen {...props} />
  if (step.at === 'unsure') return <Unsure {...props} />
  if (step.at !== 'pending' && step.at !== 'done' && step.at !== 'failed') return null
  const entry = state.activity.find(({ id }) => id === step.activityId)
  if (entry === undefined) return null
  const button = sheetButtonOf(state)
  const title = { pending: 'On its way', done: 'Swapped', failed: 'It did not happen' }[step.at]
  const finish = () => dispatch({ type: 'pressed', binding: button.binding })
  const isSwap = entry.purpose === 'swap' || entry.purpose === 'batch'
  const leave = isSwap ? () => dispatch({ type: 'closed' }) : undefined
  return (
    <Sheet
      title={
        step.at === 'pending' && entry.purpose !== 'swap' && entry.purpose !== 'batch'
          ? approvalTitles[entry.purpose]
          : title
      }
      onClose={step.at === 'pending' ? leave : finish}
    >
      <div aria-live="polite">
        <Receipt {...props} entry={entry} />
      </div>
      {step.at !== 'pending' && (
        <button type="button" class="primary" onClick={finish}>
          {button.label}
        </button>
      )}
    </Sheet>
  )
}

const approvalTitles = {
  approve: 'Approving',
  reset_allowance: 'Resetting the approval',
  wrap: 'Wrapping ETH',
} as const

function WalletOpen({ state }: Props) {
  const { step } = state
  if (step.at !== 'wallet') return null
  const isSwap = step.purpose === 'swap' || step.purpose === 'batch'
  const isSign = step.purpose === 'sign'
  const isSigned = step.signature !== undefined
  const { quote } = step.frozen
  const { tokenIn, tokenOut } = sidesOf(state)
  return (
    <Sheet title="Your wallet is open">
      <p class="waiting">
        <span class="spinner" aria-hidden="true" />{' '}
        {isSign
          ? 'Step 1 of 2: sign the approval in your wallet. It covers exactly this amount and costs no gas.'
          : isSigned
            ? 'Step 2 of 2: confirm the swap in your wallet.'
            : isSwap
              ? 'Confirm the swap in your wallet.'
              : 'Confirm it in your wallet: exactly this amount, for this swap alone.'}
      </p>
      <p class="hint">
        The form is locked until your wallet answers, so that what you sign is what stands here:{' '}
        {amountText(soldOf(quote), tokenIn)} {plain(tokenIn.symbol, 12)}
        {isSwap || isSign
          ? ` for at least ${amountText(minOutOf(quote), tokenOut)} ${plain(tokenOut.symbol, 12)}`
          : ''}
        .
      </p>
    </Sheet>
  )
}

function Unsure({ dispatch, state }: Props) {
  const { step } = state
  if (step.at !== 'unsure') return null
  const button = sheetButtonOf(state)
  return (
    <Sheet title="What did your wallet do?">
      <Note kind="unsure">
        This page was loaded again while your wallet was open for a {step.opened.words} (
        {agoText(state.now - step.opened.at)}). If you confirmed it, it will still happen. Look into
        your wallet's activity before you swap again.
      </Note>
      <button
        type="button"
        class="primary"
        onClick={() => dispatch({ type: 'pressed', binding: button.binding })}
      >
        {button.label}
      </button>
    </Sheet>
  )
}

/** One transaction, with its numbers as they were quoted and as they came. */
export function Receipt({ boot, entry }: Props & { entry: Activity }) {
  const {
    amountIn,
    decimalsIn,
    decimalsOut,
    delivered,
    minOut,
    quoted,
    status,
    symbolIn,
    symbolOut,
  } = entry
  const amount = (base: string, decimals: number | undefined, symbol: string) =>
    `${shortAmountText(BigInt(base), decimals)} ${plain(symbol, 12)}`
  const isSwap = entry.purpose === 'swap' || entry.purpose === 'batch'
  return (
    <>
      {status === 'pending' && (
        <p class="waiting">
          <span class="spinner" aria-hidden="true" /> The chain has not included it yet.{' '}
          {isSwap ? 'You may close this: it is kept under Activity.' : 'The swap comes after it.'}
        </p>
      )}
      {status === 'failed' && (
        <Note kind="bad">{plain(entry.reason ?? 'The chain undid it.', 300)}</Note>
      )}
      {isSwap && (
        <dl class="facts-list">
          <div>
            <dt>{status === 'pending' ? 'You pay' : 'You paid'}</dt>
            <dd>{status === 'failed' ? 'nothing' : amount(amountIn, decimalsIn, symbolIn)}</dd>
          </div>
          <div>
            <dt>Quoted</dt>
            <dd title={`${quoted} base units`}>{amount(quoted, decimalsOut, symbolOut)}</dd>
          </div>
          {delivered !== undefined && (
            <div>
              <dt>Delivered</dt>
              <dd class="delivered" title={`${delivered} base units`}>
                <strong>{amount(delivered, decimalsOut, symbolOut)}</strong>{' '}
                <span class="hint">{differenceText(quoted, delivered)}</span>
              </dd>
            </div>
          )}
          <div>
            <dt>At least</dt>
            <dd>{amount(minOut, decimalsOut, symbolOut)}</dd>
          </div>
        </dl>
      )}
      <p class="hashline">
        <span class="hint">{entry.hash === undefined ? 'Batch' : 'Transaction'}</span>{' '}
        <code>{entry.hash ?? entry.id}</code>
      </p>
      {entry.hash !== undefined && (
        <HashLinks boot={boot} chainId={entry.chainId} hash={entry.hash} />
      )}
    </>
  )
}

function differenceText(quoted: string, delivered: string): string {
  return quoted === delivered
    ? 'exactly what was quoted'
    : `${changeText(BigInt(quoted), BigInt(delivered))} of what was quoted`
}

function HashLinks({
  boot,
  chainId,
  hash,
}: {
  boot: Props['boot']
  chainId: number
  hash: string
}) {
  const chain = boot.chains.find((each) => each.chainId === chainId)
  return (
    <p class="linkline">
      <a href={`/tx/${chain?.alias ?? chainId}/${hash}`}>Receipt to pass on</a>
      {chain !== undefined && !boot.nodes.has(chainId) && (
        <a href={`${chain.explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
          Explorer <Icon name="link" />
        </a>
      )}
    </p>
  )
}
