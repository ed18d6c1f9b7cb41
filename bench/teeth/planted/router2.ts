import { bugsOf, type Planting } from '../planting.js'

export const router2: Planting = {
  set: 'router2',
  suites: ['v2/Router.t.sol', 'v2/RouterNative.t.sol', 'v2/RouterSignatures.t.sol'],
  bugs: bugsOf('v2/Router.sol', [
    ['arrived = balanceOf(token, address(this)) - balanceBefore;', 'arrived = amountIn;'],
    ['        if (arrived > amountIn) arrived = amountIn;\n', ''],
    ['        _requireWrapped(route.tokenIn);\n', ''],
    ['        _requireWrapped(route.tokenOut);\n', ''],
    ['NATIVE_GAS = 100_000', 'NATIVE_GAS = 10_000_000'],
    ['deposit{value: msg.value}', 'deposit{value: msg.value - 1}'],
    [
      '_order(permit.owner, address(this), route, terms)',
      '_order(msg.sender, address(this), route, terms)',
    ],
    [
      '_order(msg.sender, msg.sender, route, terms)',
      '_order(msg.sender, address(this), route, terms)',
    ],
    [
      'permit(msg.sender, address(this), terms.amountIn',
      'permit(msg.sender, address(this), type(uint256).max',
    ],
    ['_gained(token, collector, balanceBefore, fee)', 'fee'],
    ['        if (quoted < outcome.floor) quoted = outcome.floor;\n', ''],
    ['emit Swap(order.user,', 'emit Swap(msg.sender,'],
    [
      'outcome.amountOut, outcome.floor, blockNumber',
      'outcome.amountOut, order.minOut, blockNumber',
    ],
    ['IS_ARBITRUM ? ARB_SYS.arbBlockNumber() : block.number', 'block.number'],
    ['if (!order.inNative) return super._pay', 'if (order.inNative) return super._pay'],
  ]),
}
