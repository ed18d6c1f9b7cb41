import { routerAbi, routerV2Abi } from '@sluice/abi'
import {
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import * as Reverts from './Reverts.js'

const token = '0x00000000000000000000000000000000000000AA'

describe('Reverts.read', () => {
  test.each([
    ['BelowFloor(uint256,uint256)', [2n, 1n], 'sluice'],
    ['TransferFromFailed()', [], 'sluice'],
    ['ERC20InsufficientAllowance(address,uint256,uint256)', [token, 1n, 2n], 'token'],
    ['InsufficientBalance()', [], 'token'],
    ['InvalidNonce()', [], 'permit2'],
    ['locked()', [], 'pool'],
  ])('default: explains %s', (signature, args, origin) => {
    const types = signature
      .slice(signature.indexOf('(') + 1, -1)
      .split(',')
      .filter(Boolean)
    const values = encodeAbiParameters(
      types.map((type) => ({ type })),
      args,
    )
    const data = `${toFunctionSelector(signature)}${values.slice(2)}` as Hex
    const revert = Reverts.read(data)
    expect(revert).toMatchObject({ name: signature.split('(')[0], args, origin, data })
    expect(revert.meaning).toMatch(/\.$/)
    expect(revert.advice).toMatch(/\.$/)
    expect(Reverts.nameOf(data)).toBe(revert.name)
  })

  test("behavior: reads the token's own error inside an error of the Router", () => {
    const reason = errorText('ERC20: transfer amount exceeds allowance')
    const data = encodeErrorResult({
      abi: parseAbi(['error TransferRefused(address token, bytes reason)']),
      args: [token, reason],
    })
    expect(Reverts.read(data)).toMatchObject({
      name: 'TransferRefused',
      args: [token, reason],
      cause: {
        name: 'Error',
        args: ['ERC20: transfer amount exceeds allowance'],
        meaning: 'The spender is approved for too little.',
      },
    })
  })

  test('behavior: reads nested errors up to a fixed depth', () => {
    const abi = parseAbi(['error TransferRefused(address token, bytes reason)'])
    let data: Hex = errorText('deep')
    for (let depth = 0; depth < 20; depth++) data = encodeErrorResult({ abi, args: [token, data] })
    let [depth, revert]: [number, Reverts.Revert | undefined] = [0, Reverts.read(data)]
    while (revert?.cause !== undefined) [depth, revert] = [depth + 1, revert.cause]
    expect([depth, revert?.name]).toEqual([3, 'TransferRefused'])
  })

  test.each([
    ['empty data', '0x'],
    ['half a selector', '0x1234'],
    ['an unknown selector', '0x12345678'],
    [
      'a known selector with truncated arguments',
      toFunctionSelector('BelowFloor(uint256,uint256)'),
    ],
  ])('error: %s is an unknown error and does not throw', (_, data) => {
    expect(Reverts.read(data as Hex)).toEqual({ name: 'an unknown error', args: [], data })
  })
})

describe('the list of known errors', () => {
  test('default: every selector is unique', () => {
    const selectors = Reverts.abi.map(Reverts.selectorOf)
    expect(new Set(selectors).size).toBe(selectors.length)
  })

  test('default: explains every error that the Routers declare', () => {
    const explained = new Set(
      Object.values(Reverts.byOrigin)
        .flat()
        .map(({ signature }) => signature.split('(')[0]),
    )
    const items: readonly { readonly type: string }[] = [...routerAbi, ...routerV2Abi]
    const declared = items.filter(Reverts.isError)
    expect(declared.map(({ name }) => name).filter((name) => !explained.has(name))).toEqual([])
  })
})

function errorText(text: string): Hex {
  return encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [text] })
}
