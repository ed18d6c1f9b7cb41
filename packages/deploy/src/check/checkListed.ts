import {
  type Address,
  concatHex,
  decodeAbiParameters,
  type Hex,
  isAddressEqual,
  parseAbiParameters,
  toFunctionSelector,
  toHex,
} from 'viem'
import type { ChainConfig } from '../parseChainConfig.js'
import type { ConfigFindings, Fault, Unchecked } from './Findings.js'
import type { Chain } from './readChain.js'
import { addressIn } from './venueReads.js'

const coins = toFunctionSelector('coins(uint256)')
const getVault = toFunctionSelector('getVault()')
const getPoolId = toFunctionSelector('getPoolId()')
const getPoolTokens = toFunctionSelector('getPoolTokens(bytes32)')

/** Compares the tokens of the listed pools with those that the pools name, in their order. */
export async function checkListed(chain: Chain, config: ChainConfig): Promise<ConfigFindings> {
  const faults: Fault[] = []
  const unchecked: Unchecked[] = []
  let confirmed = 0
  for (const [index, { pool, tokens, venue: number }] of config.pools.entries()) {
    const at = `pools[${index}]`
    const venue = config.venues[number - 1]!
    const [code] = await chain.code([pool])
    if (code === '0x') continue
    const isBalancer = venue.kind !== 'curve'
    const [vault] = isBalancer ? await chain.read([{ to: pool, data: getVault }]) : []
    if (isBalancer && !isAddressEqual(addressIn(vault) ?? pool, venue.deployer)) {
      const message = `The pool ${pool} is not one of the Vault ${venue.deployer}.`
      faults.push({ code: 'WRONG_VAULT', at, message })
      continue
    }
    const told = isBalancer
      ? await balancerTokens(chain, pool, venue.deployer)
      : await curveTokens(chain, pool, tokens.length)
    if (told === undefined)
      unchecked.push({ at, why: `The pool ${pool} does not name its tokens.` })
    else if (told.join().toLowerCase() === tokens.join().toLowerCase()) confirmed++
    else
      faults.push({
        code: 'WRONG_TOKENS',
        at: `${at}.tokens`,
        message: `The pool ${pool} has the tokens ${told.join(', ')}, in this order.`,
      })
  }
  return { faults, unchecked, confirmed }
}

/** One more than expected, so that a token that the config leaves out is seen. */
async function curveTokens(
  chain: Chain,
  pool: Address,
  count: number,
): Promise<readonly Address[] | undefined> {
  const places = Array.from({ length: count + 1 }, (_, place) => toHex(place, { size: 32 }))
  const answers = await chain.read(
    places.map((place) => ({ to: pool, data: concatHex([coins, place]) })),
  )
  const tokens = answers.flatMap((answer) => addressIn(answer) ?? [])
  return tokens.length === 0 ? undefined : tokens
}

/** A stable pool also counts its own token, which the config leaves out. */
async function balancerTokens(
  chain: Chain,
  pool: Address,
  vault: Address,
): Promise<readonly Address[] | undefined> {
  const [id] = await chain.read([{ to: pool, data: getPoolId }])
  if (id === undefined) return undefined
  const [answer] = await chain.read([{ to: vault, data: concatHex([getPoolTokens, id]) }])
  const tokens = answer && tokensIn(answer)
  return tokens?.filter((token) => !isAddressEqual(token, pool))
}

function tokensIn(answer: Hex): readonly Address[] | undefined {
  try {
    const parameters = parseAbiParameters('address[], uint256[], uint256')
    return decodeAbiParameters(parameters, answer)[0]
  } catch {
    return undefined
  }
}
