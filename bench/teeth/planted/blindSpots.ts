import { bugsOf, type Planting } from '../planting.js'

/** Bugs that no test detected in the past, with the tests written for them. */
export const blindSpots: Planting = {
  set: 'blindSpots',
  suites: [
    'bound/BoundMargin.t.sol',
    'bound/Exhausted.t.sol',
    'execution/DryRun.t.sol',
    'solver/Finder.t.sol',
    'solver/Impact.t.sol',
    'solver/Truncated.t.sol',
    'v2/RouterNative.t.sol',
    'venues/AllowanceLeg.t.sol',
    'venues/CurveStable.t.sol',
    'venues/UniswapV4.t.sol',
    'venues/UniswapV4Native.t.sol',
  ],
  bugs: [
    ...bugsOf(
      'Solver.sol',
      [
        [
          'zeroFloorSub(draft.referenceOut, draft.grossOut) * BPS',
          'zeroFloorSub(draft.referenceOut, draft.grossOut) * 0',
        ],
      ],
      'the impact is always zero',
      ['solver/Impact.t.sol'],
    ),
    ...bugsOf(
      'Solver.sol',
      [['FixedPointMathLib.saturatingAdd(allocation.upperBound, margin)', 'allocation.upperBound']],
      'the bound has no margin',
      ['bound/BoundMargin.t.sol'],
    ),
    ...bugsOf(
      'venues/SampledDrawing.sol',
      [['_rawSample(shape, state, amountIn).raised()', '_rawSample(shape, state, amountIn)']],
      'sampled curves are not raised',
      ['venues/CurveStable.t.sol'],
    ),
    ...bugsOf(
      'solver/Edges.sol',
      [
        [
          'return (at(prices, edge.from) << 96) / at(prices, edge.to) < curve.endRatio',
          'return false',
        ],
      ],
      'exhausted curves count as proof',
      ['bound/Exhausted.t.sol'],
    ),
    ...bugsOf(
      'solver/Found.sol',
      [
        [
          'if (at >= discovery.room) {\n        discovery.truncated = true;\n',
          'if (at >= discovery.room) {\n',
        ],
      ],
      'the pool limit is not said',
      ['solver/Truncated.t.sol'],
    ),
    ...bugsOf(
      'solver/Found.sol',
      [['    if (!may) discovery.truncated = true;\n', '']],
      'pools that gas leaves unread are not said',
      ['solver/Finder.t.sol'],
    ),
    ...bugsOf(
      'execution/DryRun.sol',
      [['        if (msg.sender != _lender) revert NotSelf();\n', '']],
      'anybody may call the fallback of the dry run',
      ['execution/DryRun.t.sol'],
    ),
    ...bugsOf(
      'execution/DryRun.sol',
      [
        [
          'IRouter router) external {\n        if (msg.sender != address(this)) revert NotSelf();\n',
          'IRouter router) external {\n',
        ],
      ],
      'anybody may call runHeld',
      ['execution/DryRun.t.sol'],
    ),
    ...bugsOf(
      'venues/Balancer.sol',
      [['        Allowance.demandUsedUp(payment, vault, amount);\n', '']],
      'an allowance for Balancer outlives its leg',
      ['venues/AllowanceLeg.t.sol'],
    ),
    ...bugsOf(
      'v2/Router.sol',
      [['        NativeSender.expect(address(0));\n', '']],
      'native tokens are taken after a payout',
      ['v2/RouterNative.t.sol'],
    ),
    ...bugsOf(
      'venues/UniswapV4.sol',
      [
        [
          '            NativeSender.expect(address(0));\n            IWrappedNative(wrapped)',
          '            IWrappedNative(wrapped)',
        ],
      ],
      'native tokens are taken after a take',
      ['venues/UniswapV4Native.t.sol', 'v2/RouterNative.t.sol'],
    ),
    ...bugsOf(
      'venues/UniswapV4.sol',
      [['        payment.requireAtMost(uint256(uint128(type(int128).max)));\n', '']],
      'an amount beyond 127 bits changes its sign',
      ['venues/UniswapV4.t.sol'],
    ),
  ],
}
