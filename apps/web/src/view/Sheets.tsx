import { Addresses } from '@sluice/domain'
import { useState } from 'preact/hooks'
import type { Generation, Token } from '../machine/State.js'
import { agoText } from './numbers.js'
import { Receipt } from './Outcome.js'
import { Coin, Note, plain, Sheet } from './parts.js'
import type { Props } from './store.js'

type Closing = Props & { onClose: () => void }

/** The wallets that announced themselves, late ones included. */
export function WalletChooser({ dispatch, state }: Props) {
  const { choices } = state.wallet
  return (
    <Sheet title="Connect a wallet" onClose={() => dispatch({ type: 'closed' })}>
      {choices.length === 0 && (
        <Note kind="unsure">
          No wallet has announced itself yet. Open or install one for this browser; it appears here
          by itself.
        </Note>
      )}
      <ul class="tokenlist">
        {choices.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => dispatch({ type: 'choseWallet', id })}>
              <Coin token={faceOf(id, name)} size={34} />
              <span class="tokennames">
                <strong>{plain(name, 32)}</strong>
                <span class="hint">{plain(id, 40)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">
        No key leaves your wallet. This page sees your address, and asks for nothing else until you
        press a button.
      </p>
    </Sheet>
  )
}

/** Pictures that wallets bring along are data of strangers, which the page's policy does not load. */
function faceOf(id: string, name: string): Token {
  return { chainId: 0, address: id, symbol: name.slice(0, 4), name, decimals: 0, isListed: true }
}

export function Account({ boot, dispatch, onClose, state }: Closing) {
  const { account = '', chainId, choices, id } = state.wallet
  const name = choices.find((each) => each.id === id)?.name ?? 'Wallet'
  const chain = boot.chains.find((each) => each.chainId === state.trade.chainId)
  return (
    <Sheet title="Your account" onClose={onClose}>
      <dl class="facts-list">
        <div>
          <dt>Address</dt>
          <dd>
            <code>{Addresses.parse(account).ok ? account : ''}</code>
          </dd>
        </div>
        <div>
          <dt>Wallet</dt>
          <dd>{plain(name, 32)}</dd>
        </div>
        <div>
          <dt>Chain</dt>
          <dd>
            {boot.chains.find((each) => each.chainId === chainId)?.name ?? `chain ${chainId}`}
          </dd>
        </div>
      </dl>
      <p class="linkline">
        {chain !== undefined && !boot.nodes.has(chain.chainId) && (
          <a href={`${chain.explorer}/address/${account}`} target="_blank" rel="noreferrer">
            Explorer
          </a>
        )}
      </p>
      <button
        type="button"
        class="plain wide"
        onClick={() => {
          dispatch({ type: 'disconnected' })
          onClose()
        }}
      >
        Disconnect
      </button>
    </Sheet>
  )
}

const presets: readonly (readonly [string, number | undefined])[] = [
  ['Protocol floor', undefined],
  ['0.1 %', 10],
  ['0.5 %', 50],
  ['1 %', 100],
]

export function Settings(props: Closing) {
  const { boot, dispatch, nodes, onClose, onNodeNamed, state } = props
  const { chainId, generation, recipient, slippageBps } = state.trade
  const generations = boot.generations.get(chainId) ?? []
  return (
    <Sheet title="Settings" onClose={onClose}>
      <Slippage
        slippageBps={slippageBps}
        onChange={(bps) => dispatch({ type: 'choseSlippage', slippageBps: bps })}
      />
      <label>
        Recipient <span class="hint">if it is not your own account</span>
        <input
          name="recipient"
          autocomplete="off"
          spellcheck={false}
          placeholder="0x…"
          value={recipient}
          onInput={(event) =>
            dispatch({ type: 'choseRecipient', text: (event.target as HTMLInputElement).value })
          }
        />
      </label>
      <label>
        Generation of the protocol
        <select
          name="version"
          value={generation}
          onChange={(event) =>
            dispatch({
              type: 'choseGeneration',
              generation: (event.target as HTMLSelectElement).value as Generation,
            })
          }
        >
          <option value="auto">The newest on this chain</option>
          {generations.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <NodeField
        key={chainId}
        {...props}
        saved={nodes.get(chainId) ?? boot.nodes.get(chainId) ?? ''}
        onSave={(url) => onNodeNamed(chainId, url)}
      />
    </Sheet>
  )
}

function Slippage({
  onChange,
  slippageBps,
}: {
  slippageBps: number | undefined
  onChange: (bps: number | undefined) => void
}) {
  const isPreset = presets.some(([, bps]) => bps === slippageBps)
  const [text, setText] = useState(
    isPreset || slippageBps === undefined ? '' : String(slippageBps / 100),
  )
  const [problem, setProblem] = useState('')
  const read = (typed: string) => {
    setText(typed)
    const percent = Number(typed.replace(',', '.'))
    const isEmpty = typed.trim() === ''
    const bps = Math.round(percent * 100)
    if (!isEmpty && !/^\s*\d*[.,]?\d{0,2}\s*$/.test(typed))
      return setProblem('Write a percentage with at most two decimals, such as 0.25.')
    if (!Number.isFinite(percent) || bps > 5_000)
      return setProblem('Write a percentage from 0 to 50.')
    setProblem('')
    onChange(isEmpty ? undefined : bps)
  }
  return (
    <fieldset class="bare slippage">
      <legend>Slippage: how much less you take while the price moves</legend>
      <div class="presets">
        {presets.map(([name, bps]) => (
          <button
            key={name}
            type="button"
            class="preset"
            aria-pressed={slippageBps === bps && text === ''}
            onClick={() => {
              setText('')
              setProblem('')
              onChange(bps)
            }}
          >
            {name}
          </button>
        ))}
        <label class="percentbox">
          <span class="unseen">Your own, in percent</span>
          <input
            name="slippage"
            inputMode="decimal"
            autocomplete="off"
            placeholder="own"
            value={text}
            onInput={(event) => read((event.target as HTMLInputElement).value)}
          />
          <span aria-hidden="true">%</span>
        </label>
      </div>
      <p class="hint">
        {problem ||
          'The floor of the protocol holds in any case: 1 % and a quarter of the price impact, 5 % at most.'}
      </p>
    </fieldset>
  )
}

function NodeField({ onSave, saved }: Closing & { saved: string; onSave: (url: string) => void }) {
  const [text, setText] = useState(saved)
  const isUrl = text === '' || /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/]?)/.test(text)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isUrl) onSave(text)
      }}
    >
      <label for="rpc">
        Your node <span class="hint">repeats every quote on this chain; kept in this browser</span>
      </label>
      <div class="row">
        <input
          id="rpc"
          name="rpc"
          type="url"
          inputMode="url"
          spellcheck={false}
          placeholder="https://your.node"
          value={text}
          aria-invalid={!isUrl}
          onInput={(event) => setText((event.target as HTMLInputElement).value.trim())}
        />
        <button type="submit" class="plain">
          Use it
        </button>
      </div>
      <p class="hint">
        {isUrl
          ? 'Without one, your wallet’s own node is asked.'
          : 'Write an https address, or one of this machine.'}
      </p>
    </form>
  )
}

export function ActivitySheet(props: Closing) {
  const { onClose, state } = props
  return (
    <Sheet title="Activity" onClose={onClose}>
      <p class="hint">Kept in this browser alone.</p>
      <ul class="activity">
        {state.activity.map((entry) => (
          <li key={entry.id}>
            <details>
              <summary>
                <span class={`state ${entry.status}`}>{stateWords[entry.status]}</span>{' '}
                {purposeWords[entry.purpose]} {plain(entry.symbolIn, 10)} →{' '}
                {plain(entry.symbolOut, 10)}{' '}
                <span class="hint">{agoText(state.now - entry.at)}</span>
              </summary>
              <Receipt {...props} entry={entry} />
            </details>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

const stateWords = { pending: 'Pending', done: 'Done', failed: 'Failed' } as const
const purposeWords = {
  swap: 'Swap',
  batch: 'Swap',
  approve: 'Approval',
  reset_allowance: 'Approval',
  wrap: 'Wrap',
} as const
