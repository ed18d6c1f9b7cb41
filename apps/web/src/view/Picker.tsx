import { Addresses } from '@sluice/domain'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { readBalances, readToken } from '../effects/node.js'
import * as Storage from '../effects/storage.js'
import { readTokenList, tokensOf } from '../effects/tokenLists.js'
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
  useListed(props)
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
          No token on this chain's list has that name. Paste the address of its contract to import
          it.
        </p>
      )}
      {words === '' && <OwnList {...props} />}
    </Sheet>
  )
}

function heldText(held: bigint | undefined, token: Token): string {
  return held === undefined ? '' : glanceText(held, token)
}

/** Learns the whole list of the chain from the service, when the picker opens. */
function useListed({ boot, dispatch, state }: Props): void {
  const { chainId } = state.trade
  useEffect(() => {
    tokensOf(boot.client, chainId).then(
      (tokens) => {
        const isNew = (token: Token) => !state.tokens.has(tokenKey(chainId, token.address))
        dispatch({ type: 'learned', tokens: tokens.filter(isNew) })
      },
      // The tokens that the page began with are there.
      () => {},
    )
  }, [chainId])
}

/** A token list of the reader's own, from a file or pasted: nothing is fetched for it. */
function OwnList({ boot, dispatch, state }: Props) {
  const [said, setSaid] = useState<{ kind: 'good' | 'bad'; words: string }>()
  const add = (text: string) => {
    if (text.trim() === '') return
    const read = readTokenList(
      text,
      boot.chains.map(({ chainId }) => chainId),
    )
    if (typeof read === 'string') return setSaid({ kind: 'bad', words: read })
    const tokens = read.filter(
      ({ address, chainId }) => state.tokens.get(tokenKey(chainId, address))?.isListed !== true,
    )
    remember(tokens)
    dispatch({ type: 'learned', tokens })
    setSaid({ kind: 'good', words: `${tokens.length} tokens are added.` })
  }
  return (
    <details class="ownlist">
      <summary>Add a token list of your own</summary>
      <p class="hint">
        A JSON file with “tokens”, as wallets use it. It stays in this browser, and its names prove
        nothing.
      </p>
      <label>
        File{' '}
        <input
          type="file"
          name="list"
          accept=".json,application/json"
          onChange={async (event) => add((await filesOf(event)[0]?.text()) ?? '')}
        />
      </label>
      <label>
        Or paste it
        <textarea
          name="pasted"
          rows={3}
          spellcheck={false}
          onInput={(event) => add((event.target as HTMLTextAreaElement).value)}
        />
      </label>
      {said !== undefined && <Note kind={said.kind}>{said.words}</Note>}
    </details>
  )
}

function filesOf(event: Event): readonly File[] {
  return [...((event.target as HTMLInputElement).files ?? [])]
}

/** Keeps tokens in this browser, the newest if there are too many. */
function remember(tokens: readonly Token[]): void {
  const keys = new Set(tokens.map(({ address, chainId }) => tokenKey(chainId, address)))
  const others = Storage.tokens
    .read()
    .filter(({ address, chainId }) => !keys.has(tokenKey(chainId, address)))
  Storage.tokens.write([...others, ...tokens].slice(-maxKept))
}

const maxKept = 400

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
  boot,
  extras,
  nodeFor,
  onChosen,
  state,
}: Props & { address: string; onChosen: (token: Token) => void }) {
  const { chainId } = state.trade
  const parsed = Addresses.parse(address)
  const [token, setToken] = useState<Token | 'asking' | 'none'>('asking')
  useEffect(() => {
    let isHere = true
    if (!parsed.ok) return setToken('none')
    const node = nodeFor(chainId)
    const asked =
      node === undefined
        ? tokensOf(boot.client, chainId, [parsed.address]).then(([found]) => found)
        : readToken(node, parsed.address)
    const told = asked.catch(() => undefined)
    told.then((words) => {
      if (!isHere) return
      const fixed = { chainId, address: parsed.address, isListed: false }
      setToken(words === undefined ? 'none' : { ...words, ...fixed })
    })
    return () => {
      isHere = false
    }
  }, [address, chainId])
  if (!parsed.ok) return <Note kind="bad">This address {parsed.reason}.</Note>
  if (token === 'asking') return <p class="hint">Asking the contract …</p>
  if (token === 'none')
    return (
      <Note kind="bad">There is no token at this address on this chain, or nobody answered.</Note>
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
          remember([token])
          onChosen(token)
        }}
      >
        Import {plain(token.symbol, 16)}
      </button>
    </div>
  )
}
