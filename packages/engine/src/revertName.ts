import { errorsAbi } from '@sluice/abi'
import { toFunctionSelector } from 'viem'

/** Names of the protocol's errors by selector; `AmountTooLarge()` and `AmountTooLarge(uint256)` differ in it. */
const names: ReadonlyMap<string, string> = new Map(
  errorsAbi.map(({ inputs, name }) => {
    const types = inputs.map(({ type }) => type).join()
    return [toFunctionSelector(`${name}(${types})`), name]
  }),
)

/** Which of the protocol's errors a call reverted with; `undefined` for any other, whose words are not ours. */
export function revertName(data: unknown): string | undefined {
  return typeof data === 'string' ? names.get(data.slice(0, 10)) : undefined
}
