import { Decimals } from '@sluice/domain'

/** What was typed as an amount: an integer in base units, or what to do about it. */
export type ReadAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly base: bigint }
  | { readonly kind: 'wrong'; readonly reason: string }

/**
 * Reads an amount as people write it: `.5`, `1,5`, `1 000.25`. Refuses what could be read in two ways, because a wrong
 * guess moves the point by three places.
 *
 * @param decimals Of the token; `undefined` if they are not known, which leaves base units.
 */
export function readAmount(text: string, decimals: number | undefined): ReadAmount {
  const typed = text.replace(/[\s\u00a0\u202f'’_]/g, '')
  if (typed === '') return { kind: 'empty' }
  const plain = plainNumber(typed)
  if (typeof plain !== 'string') return plain
  if (decimals === undefined && plain.includes('.'))
    return wrong(
      "This token's decimals are not known here: connect a wallet, or write base units, an integer.",
    )
  const places = plain.split('.')[1]?.length ?? 0
  if (places > (decimals ?? 0))
    return wrong(`This token has ${decimals} decimals; the amount has ${places}.`)
  const base = Decimals.toBase(plain, decimals ?? 0)
  if (base === undefined) return wrong('This amount is too long.')
  if (base === 0n) return wrong('Write an amount above zero.')
  return base > maxAmount ? wrong('No token has that many units.') : { kind: 'amount', base }
}

/** A token's whole supply is at most this. */
const maxAmount = 2n ** 256n - 1n

function wrong(reason: string): ReadAmount {
  return { kind: 'wrong', reason }
}

/** Digits with at most one point. */
function plainNumber(typed: string): string | ReadAmount {
  if (/^[+-]?[\d.,]+e[+-]?\d+$/i.test(typed))
    return wrong('Write the number out, without an exponent: amounts are in whole tokens.')
  if (/^0x/i.test(typed)) return wrong('Write the amount in decimal digits.')
  if (typed.startsWith('-')) return wrong('Write an amount above zero.')
  if (!/^[\d.,]+$/.test(typed) || !/\d/.test(typed))
    return wrong('Write a number, for example 1.5.')
  return pointOf(typed)
}

/** Tells the separators of thousands from the one before the fraction. */
function pointOf(typed: string): string | ReadAmount {
  const marks = [...typed].filter((char) => char === '.' || char === ',')
  const [first] = marks
  const last = marks.at(-1)
  if (first === undefined) return typed
  if (marks.length === 1) {
    const [whole = '', fraction = ''] = typed.split(first)
    const isTwoWays = first === ',' && /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3
    if (isTwoWays)
      return wrong(
        `${typed} can mean ${whole}${fraction} or ${whole}.${fraction}: write one of them.`,
      )
    return joined(whole, fraction)
  }
  const groups = typed.split(/[.,]/)
  const isMixed = first !== last
  const fraction = isMixed ? groups.pop()! : ''
  const marksOfGroups = isMixed ? marks.slice(0, -1) : marks
  const isGrouped =
    marksOfGroups.every((mark) => mark === first) &&
    /^\d{1,3}$/.test(groups[0]!) &&
    groups.slice(1).every((group) => group.length === 3)
  return isGrouped
    ? joined(groups.join(''), fraction)
    : wrong('Write a number, for example 1234.5.')
}

function joined(whole: string, fraction: string): string {
  const digits = whole === '' ? '0' : whole
  return fraction === '' ? digits : `${digits}.${fraction}`
}
