/** The script of the page: a state, what happens to it, what is drawn of it. */
import { render } from 'preact'
import { nodeOf } from './askNode.js'
import { bootFrom, readPageData } from './effects/boot.js'
import { createExtras } from './effects/extras.js'
import { readToken } from './effects/node.js'
import { drawWith } from './effects/partOf.js'
import { loadAtFirstTouch } from './effects/parts.js'
import { createRunner } from './effects/run.js'
import * as Storage from './effects/storage.js'
import { discover } from './effects/wallets.js'
import { unchecked } from './machine/Check.js'
import type { Event } from './machine/events.js'
import { tokenKey } from './machine/question.js'
import { reduce } from './machine/reduce.js'
import { nativeCoin, type State, type Trade } from './machine/State.js'
import { App, NotStarted } from './view/App.js'

const root = document.querySelector('#app')!
const boot = bootFrom(await dataAfterAll(), location.origin)
const link = Storage.readLink(location.search, boot.chains)
const savedNodes = Storage.nodes.read()
const saved = Storage.tokens.read()

let state: State = {
  trade: withAddresses(link.trade),
  wallet: { choices: [], status: 'none' },
  tokens: new Map([
    ...saved.map((token) => [tokenKey(token.chainId, token.address), token] as const),
    ...boot.tokens,
  ]),
  generations: boot.generations,
  chainNames: new Map(boot.chains.map(({ chainId, name }) => [chainId, name])),
  balances: new Map(),
  payments: new Map(),
  asking: { key: undefined },
  shown: undefined,
  check: unchecked,
  checkedId: undefined,
  hasNode: hasNode(link.trade.chainId, undefined),
  isHidden: document.hidden,
  isOnline: navigator.onLine,
  step: { at: 'form' },
  activity: [],
  sends: 0,
  answers: 0,
  now: Date.now(),
}

/** The page's data, tried again whenever the reader says so. */
async function dataAfterAll() {
  for (;;) {
    try {
      return await readPageData()
    } catch {
      await new Promise<void>((resolve) => render(<NotStarted onRetry={resolve} />, root))
    }
  }
}

/** A symbol of the list stands for its address; any other name is left for the service to judge. */
function withAddresses(trade: Trade): Trade {
  const addressOf = (text: string) => {
    if (text.toUpperCase() === nativeCoin) return nativeCoin
    const listed = [...boot.tokens.values()].find(
      ({ chainId, symbol }) =>
        chainId === trade.chainId && symbol.toUpperCase() === text.toUpperCase(),
    )
    return listed?.address ?? text
  }
  return { ...trade, tokenIn: addressOf(trade.tokenIn), tokenOut: addressOf(trade.tokenOut) }
}

function hasNode(chainId: number, walletChain: number | undefined): boolean {
  return savedNodes.has(chainId) || boot.nodes.has(chainId) || walletChain === chainId
}

const firstTrade = state.trade

drawWith(draw)

let isDrawing = false
/** Draws once for all that happened in one go. */
function draw(): void {
  if (isDrawing) return
  isDrawing = true
  queueMicrotask(() => {
    isDrawing = false
    render(
      <App
        {...{
          state,
          dispatch,
          boot,
          extras,
          linkProblem: state.trade === firstTrade ? link.problem : undefined,
        }}
        nodes={savedNodes}
        nodeFor={runner.nodeFor}
        onNodeNamed={nameNode}
      />,
      root,
    )
  })
}

const queue: Event[] = []
function dispatch(event: Event): void {
  queue.push(event)
  if (queue.length > 1) return
  while (queue.length > 0) {
    const before = state
    const next = reduce(state, queue[0]!)
    state = next.state
    for (const effect of next.effects) runner.perform(effect)
    afterwards(before)
    queue.shift()
  }
  draw()
}

/** What follows from a change of the trade or the wallet: balances, tokens that nobody knows, a node to ask. */
function afterwards(before: State): void {
  const { trade, wallet } = state
  const isOtherPair =
    trade.chainId !== before.trade.chainId ||
    trade.tokenIn !== before.trade.tokenIn ||
    trade.tokenOut !== before.trade.tokenOut
  if (
    isOtherPair ||
    (state.shown?.quote.meta?.blockNumber !== before.shown?.quote.meta?.blockNumber &&
      state.shown !== undefined)
  )
    runner.readHeld()
  if (isOtherPair || wallet.chainId !== before.wallet.chainId) learn()
  const now = hasNode(trade.chainId, wallet.status === 'connected' ? wallet.chainId : undefined)
  if (now !== state.hasNode) queue.push({ type: 'nodeNamed', hasNode: now })
}

/** Asks the contracts of tokens that are on no list for their names and decimals. */
function learn(): void {
  const { chainId, tokenIn, tokenOut } = state.trade
  const node = runner.nodeFor(chainId)
  for (const address of [tokenIn, tokenOut]) {
    if (
      node === undefined ||
      state.tokens.has(tokenKey(chainId, address)) ||
      !address.startsWith('0x')
    )
      continue
    readToken(node, address).then((words) => {
      if (words !== undefined)
        dispatch({ type: 'learned', tokens: [{ chainId, address, isListed: false, ...words }] })
    })
  }
}

function nameNode(chainId: number, url: string): void {
  if (url === '') savedNodes.delete(chainId)
  else savedNodes.set(chainId, url)
  Storage.nodes.write(savedNodes)
  dispatch({ type: 'nodeNamed', hasNode: hasNode(state.trade.chainId, state.wallet.chainId) })
  learn()
}

const extras = createExtras(boot, draw)
const runner = createRunner({
  boot,
  dispatch,
  savedNodes,
  state: () => state,
  wallets: () => wallets ?? new Map(),
})

let wallets: ReturnType<typeof discover> | undefined

/** Comes back to the wallet of the last visit if it still knows this page; never opens it. */
function reconnect(id: string): void {
  const found = wallets?.get(id)
  if (found !== undefined)
    nodeOf(found.provider)('eth_accounts', []).then(
      () => runner.connect(id, true),
      () => {},
    )
}

wallets = discover((choices) => {
  dispatch({ type: 'walletsFound', choices })
  const last = Storage.wallet.read()
  if (state.wallet.status === 'none' && last !== undefined && choices.some(({ id }) => id === last))
    queueMicrotask(() => reconnect(last))
})
dispatch({ type: 'restored', activity: Storage.activity.read(), opened: Storage.opened.read() })
Storage.activity.onChange((activity) => dispatch({ type: 'activityChanged', activity }))
document.addEventListener('visibilitychange', () =>
  dispatch({ type: 'hid', isHidden: document.hidden }),
)
for (const type of ['online', 'offline'])
  addEventListener(type, () => dispatch({ type: 'network', isOnline: navigator.onLine }))
setInterval(() => dispatch({ type: 'ticked', now: Date.now() }), 1_000)
learn()
loadAtFirstTouch()
