import { bugsOf, type Planting } from '../planting.js'

export const quoting: Planting = {
  set: 'quoting',
  suites: [
    'bound/BoundMargin.t.sol',
    'execution/DryRun.t.sol',
    'execution/TaxedQuotes.t.sol',
    'hostile/HostileTokens.t.sol',
    'optimizer/Pruning.t.sol',
    'solver/Impact.t.sol',
    'solver/Limits.t.sol',
    'solver/NetOfGas.t.sol',
    'solver/QuoteEqualsExecution.t.sol',
    'solver/Truncated.t.sol',
  ],
  bugs: [
    ...bugsOf('Quoter.sol', [
      ['        if (amount == 0) revert ZeroAmount();\n', ''],
      ['        if (tokenIn == tokenOut) revert SameToken(tokenIn);\n', ''],
      ['options.connectors.length > MAX_HINTS', 'options.connectors.length > MAX_HINTS + 1'],
      ['        plan.truncated = solution.truncated;\n', ''],
      ['plan.netOut = grossOut - plan.protocolFee', 'plan.netOut = grossOut'],
      ['ironFloorOf(grossOut, plan.route.impactBps)', 'ironFloorOf(grossOut, 0)'],
      ['_setGross(plan, grossForNet(delivered))', '_setGross(plan, delivered)'],
      ['plan.upperBound / MICRO_BPS > grossOut', 'plan.upperBound / MICRO_BPS < grossOut'],
      ['failure.length == 0 && delivered == plan.netOut', 'failure.length == 0'],
    ]),
    ...bugsOf('optimizer/Pruning.sol', [
      ['bestAlive == 0 || bestNet <= net) break', 'bestAlive == 0) break'],
      ['bundle.worth[k] > cost', 'true'],
      ['bundle.worth[k] > cost', 'bundle.worth[k] < cost'],
      ['zeroFloorSub(cost, bundle.profit[k])', 'zeroFloorSub(bundle.profit[k], cost)'],
      ['removable.all + saving', 'saving'],
      ['bestAlive == 0 || net > bestNet', 'bestAlive == 0 || net < bestNet'],
    ]),
    ...bugsOf('optimizer/Bundle.sol', [
      ['        sharing.gas += at(bundle.gas, k);\n', ''],
      ['words[order[place - 1]] > words[k]', 'words[order[place - 1]] < words[k]'],
      ['        put(sharing.wanted, token, wanted - flow);\n', ''],
    ]),
  ],
}
