import type { Rpc } from '@sluice/deploy'
import { type Address, type Hex, numberToHex, size, slice } from 'viem'

const METER: Address = '0x0000000000000000000000000000000000000f72'
const GAS_LIMIT = 150_000_000n

/**
 * Calls `target` on a node and measures the gas of the call itself, without the fixed cost of a transaction.
 *
 * @throws RpcError if the call reverts.
 */
export async function meteredCall(
  rpc: Rpc,
  target: Address,
  data: Hex,
): Promise<{ result: Hex; gas: number }> {
  const answer = await rpc.request<Hex>('eth_call', [
    { to: METER, data, gas: numberToHex(GAS_LIMIT) },
    'latest',
    { [METER]: { code: meterOf(target) } },
  ])
  const gas = Number(slice(answer, 0, 32))
  return { result: size(answer) > 32 ? slice(answer, 32) : '0x', gas }
}

/**
 * Code that forwards its input to `target` and returns the used gas followed by the return data. If `target` reverts, it
 * reverts with the same data.
 * CALLDATACOPY, GAS, CALL, GAS; on failure REVERT with the data; else GAS difference, RETURNDATACOPY, RETURN. It is no
 * STATICCALL, because pools with hooks are priced by swaps.
 */
function meterOf(target: Address): Hex {
  return `0x365f5f375a5f5f365f5f73${target.slice(2).toLowerCase()}5af15a90602d573d5f5f3e3d5ffd5b90035f523d5f60203e3d6020015ff3`
}
