import { Addresses } from '@sluice/domain'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { readBalances, readToken } from '../effects/node.js'
import * as Storage from '../effects/storage.js'
import { percentText } from '../format.js'
import { balanceKey, tokenKey } from '../machine/question.js'
import type { Token } from '../machine/State.js'
import { glanceText } from './numbers.js'
import { Coin, Note, plain, Sheet } from './parts.js'
import type { Props } from './store.js'

/** Chooses a token from the list of the service, by its name, or by the address of its contract. */
export function Picker(props: Props & { side: 'in' | 'out'; onClose: () => void }) {
  const { dispatch, onClose, side, state } = props
  const { chainId } = state.trade
  const [text, setText] = useState('')
  useHeld(props)
  const listed = useMemo(
    () => [...state.tokens.values()].filter((token) => token.chainId === chainId),
    [state.tokens, chainId],
  )
  const words = text.trim().toLowerCase()
  const isAddress = Addresses.hasShape(text.trim())
  const found = listed.filter(
    ({ address, name, symbol }) =>
      words === '' ||
      symbol.toLowerCase().includes(words) ||
      name.toLowerCase().includes(words) ||
      address.toLowerCase() === words,
  )
  const choose = (token: Token) => {
    dispatch({ type: 'picked', side, token })
    onClose()
  }
  const held = (token: Token) => {
    const { account } = state.wallet
    return account === undefined
      ? undefined
      : state.balances.get(balanceKey(chainId, account, token.address))
  }
  const sorted = [...found].sort(
    (a, b) => Number((held(b) ?? 0n) > 0n) - Number((held(a) ?? 0n) > 0n),
  )
  return (
    <Sheet title={side === 'in' ? 'You pay with' : 'You receive'} onClose={onClose} class="picker">
      <label class="searchbox">
        <span class="unseen">Name, symbol or address</span>
        <input
          type="search"
          name="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="Name, symbol or address"
          value={text}
          onInput={(event) => setText((event.target as HTMLInputElement).value)}
        />
      </label>
      <ul class="tokenlist">
        {sorted.map((token) => (
          <li key={tokenKey(token.chainId, token.address)}>
            <button type="button" onClick={() => choose(token)}>
              <Coin token={token} size={34} />
              <span class="tokennames">
                <strong>{plain(token.symbol, 16)}</strong>
                <span class="hint">
                  {plain(token.name, 28)}
                  {!token.isListed && ' · imported'}
                </span>
              </span>
              <span class="number">{heldText(held(token), token)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && isAddress && (
        <Import {...props} address={text.trim()} onChosen={choose} />
      )}
      {found.length === 0 && !isAddress && (
        <p class="hint">
          No token of this chain's list is called so. Paste the address of its contract to import
          it.
        </p>
      )}
    </Sheet>
  )
}

function heldText(held: bigint | undefined, token: Token): string {
  return held === undefined ? '' : glanceText(held, token)
}

/** Reads what the account holds of every token in the list, once a minute at most. */
function useHeld({ dispatch, nodeFor, state }: Props): void {
  const { chainId } = state.trade
  const { account } = state.wallet
  useEffect(() => {
    const node = nodeFor(chainId)
    if (account === undefined || node === undefined) return
    const tokens = [...state.tokens.values()]
      .filter((token) => token.chainId === chainId)
      .map(({ address }) => address)
    readBalances(node, account, tokens.slice(0, 60)).then((read) =>
      dispatch({
        type: 'balancesRead',
        balances: read.map(([token, held]) => [balanceKey(chainId, account, token), held]),
      }),
    )
  }, [account, chainId])
}

/** A token by its address: what its contract says of itself, how deep its pools are, and that neither proves anything. */
function Import({
  address,
  extras,
  nodeFor,
  onChosen,
  state,
}: Props & { address: string; onChosen: (token: Token) => void }) {
  const { chainId } = state.trade
  const parsed = Addresses.parse(address)
  const [token, setToken] = useState<Token | 'asking' | 'none' | 'no node'>('asking')
  useEffect(() => {
    let isHere = true
    const node = nodeFor(chainId)
    if (!parsed.ok || node === undefined) return setToken(parsed.ok ? 'no node' : 'none')
    readToken(node, parsed.address).then((words) => {
      if (isHere)
        setToken(
          words === undefined
            ? 'none'
            : { chainId, address: parsed.address, isListed: false, ...words },
        )
    })
    return () => {
      isHere = false
    }
  }, [address, chainId])
  if (!parsed.ok) return <Note kind="bad">This address {parsed.reason}.</Note>
  if (token === 'asking') return <p class="hint">Asking the contract …</p>
  if (token === 'no node')
    return (
      <Note kind="unsure">
        To read this token's decimals somebody has to be asked: connect a wallet, or name a node of
        your own in the settings.
      </Note>
    )
  if (token === 'none')
    return (
      <Note kind="bad">
        There is no token at this address on this chain, or the node did not say.
      </Note>
    )
  const depth = extras.depthOf(token)
  return (
    <div class="import">
      <p>
        <Coin token={token} size={40} />
        <span class="tokennames">
          <strong>{plain(token.symbol, 16)}</strong>
          <span class="hint">
            {plain(token.name, 28)}, {token.decimals} decimals
          </span>
        </span>
      </p>
      <p class="hint">
        {depth === undefined
          ? 'Looking for its depth …'
          : depth === null
            ? 'Nobody sells it for USDC here: it has no price.'
            : `Buying it for 1,000 USDC moves its price by ${percentText(depth)}.`}
      </p>
      <Note kind="unsure">
        Anybody can make a token of any name. Compare the whole address with a source that you
        trust: <code>{token.address}</code>
      </Note>
      <button
        type="button"
        class="primary"
        onClick={() => {
          Storage.tokens.write(
            [
              ...Storage.tokens.read().filter((each) => each.address !== token.address),
              token,
            ].slice(-40),
          )
          onChosen(token)
        }}
      >
        Import {plain(token.symbol, 16)}
      </button>
    </div>
  )
}
