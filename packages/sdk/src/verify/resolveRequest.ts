import {
  Addresses,
  Chains,
  Minimum,
  QuoteRequest,
  Registry as Registries,
  SwapWay,
  Tokens,
  Versions,
} from '@sluice/domain'
import { encodeParameters, type QuoteParameters, refused } from '../parameters.js'
import type { Registry } from './registry.js'
import { toDomain } from './toDomain.js'

/**
 * What the parameters mean on their chain, by the registry alone.
 *
 * @throws InvalidParameterError
 */
export function resolveRequest(
  registry: Registry,
  parameters: QuoteParameters,
): QuoteRequest.QuoteRequest {
  const texts = encodeParameters(parameters)
  const chain = inVersion(chainOf(registry, texts['chain'] ?? ''), texts['version'])
  const tokenIn = tokenOf(chain, 'in', texts['in'])
  const tokenOut = tokenOf(chain, 'out', texts['out'])
  if (Addresses.equal(tokenIn.address, tokenOut.address))
    throw refused('out', 'is the same token as `in`', 'bad_pair')
  const amountIn = BigInt(texts['amountIn'] ?? 0)
  if (amountIn === 0n) throw refused('amountIn', 'must be above zero')
  const { max, min } = QuoteRequest.deadlineSecRange
  const sender = accountOf('sender', { chain, tokenIn, tokenOut }, texts['sender'])
  const recipient = accountOf('recipient', { chain, tokenIn, tokenOut }, texts['recipient'])
  const signature = QuoteRequest.signatures.find((name) => name === texts['signature'])
  if (signature !== undefined) {
    const reason = SwapWay.signatureProblem({ chain, sender, tokenIn, tokenOut })
    if (reason !== undefined) throw refused('signature', reason)
  }
  return {
    chain,
    tokenIn,
    tokenOut,
    amountIn,
    recipient: recipient ?? sender,
    slippageBps: integerOf(texts, 'slippageBps', 'bad_slippage_bps', [0, Minimum.maxSlippageBps]),
    deadlineSec:
      integerOf(texts, 'deadlineSec', 'bad_deadline_sec', [min, max]) ??
      QuoteRequest.defaultDeadlineSec,
    isExact: texts['exact'] === '1',
    gasPrice: BigInt(texts['gasPrice'] ?? 0),
    connectors: connectorsOf(texts['connectors']),
    ...(sender !== undefined && { sender }),
    ...(signature !== undefined && { signature }),
  }
}

function chainOf(registry: Registry, text: string) {
  const chainId = Chains.idOf(text)
  const chain = chainId === undefined ? undefined : toDomain(registry).get(chainId)
  if (chain === undefined) throw refused('chain', 'is not in the registry', 'bad_chain')
  return chain
}

function inVersion(chain: Registries.ServedChain, text: string | undefined) {
  const version = text === undefined ? chain.version : Versions.find(text)
  if (version === undefined)
    throw refused('version', `must be one of ${Versions.names.join(', ')}`, 'bad_version')
  const found = Registries.inVersion(chain, version)
  if (found !== undefined) return found
  const known = Registries.versionsOf(chain).join(', ')
  throw refused(
    'version',
    `is not in the registry for ${chain.name}, which has ${known}`,
    'bad_version',
  )
}

function tokenOf(chain: QuoteRequest.QuoteRequest['chain'], name: 'in' | 'out', text = '') {
  const parsed = Tokens.parse(text)
  const resolved = parsed.ok ? Tokens.resolve(chain, parsed.token) : parsed
  if (!resolved.ok) throw refused(name, resolved.reason, `bad_${name}`)
  return resolved.token
}

function addressOf(name: string, text: string, code: string) {
  const parsed = Addresses.parse(text)
  if (!parsed.ok) throw refused(name, parsed.reason, code)
  return parsed.address
}

function accountOf(
  name: 'recipient' | 'sender',
  trade: Omit<QuoteRequest.recipientProblem.Parameters, 'recipient'>,
  text: string | undefined,
) {
  if (text === undefined) return undefined
  const code = name === 'recipient' ? 'bad_recipient' : 'bad_param'
  const recipient = addressOf(name, text, code)
  const reason = QuoteRequest.recipientProblem({ ...trade, recipient })
  if (reason !== undefined) throw refused(name, reason, code)
  return recipient
}

function connectorsOf(text: string | undefined) {
  const given = text === undefined ? [] : text.split(',')
  if (given.length > QuoteRequest.maxConnectors)
    throw refused('connectors', `must be at most ${QuoteRequest.maxConnectors} addresses`)
  return given.map((each) => addressOf('connectors', each, 'bad_param'))
}

function integerOf(
  texts: Readonly<Record<string, string>>,
  name: string,
  code: string,
  [min, max]: readonly [number, number],
): number | undefined {
  const text = texts[name]
  if (text === undefined) return undefined
  const value = Number(text)
  if (!/^[0-9]{1,4}$/.test(text) || value < min || value > max)
    throw refused(name, `must be an integer from ${min} to ${max}`, code)
  return value
}
