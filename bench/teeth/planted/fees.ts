import { bugsOf, type Planting } from '../planting.js'

export const fees: Planting = {
  set: 'fees',
  suites: ['math/FeeMath.t.sol'],
  bugs: bugsOf('math/FeeMath.sol', [
    ['FEE_BPS = 28', 'FEE_BPS = 27'],
    ['partDown(amount, FEE_BPS', 'partUp(amount, FEE_BPS'],
    ['fullMulDiv(netOut, WHOLE_BPS, WHOLE_BPS', 'fullMulDivUp(netOut, WHOLE_BPS, WHOLE_BPS'],
    ['MAX_ALLOWANCE_BPS = 500', 'MAX_ALLOWANCE_BPS = 501'],
    ['BASE_ALLOWANCE_BPS = 100;', 'BASE_ALLOWANCE_BPS = 101;'],
    ['IMPACT_PER_ALLOWANCE = 4', 'IMPACT_PER_ALLOWANCE = 5'],
    ['partUp(netOut, WHOLE_BPS -', 'partDown(netOut, WHOLE_BPS -'],
    ['amount * bps + WHOLE_BPS - 1', 'amount * bps + WHOLE_BPS'],
    ['MAX_SHORT = type(uint240).max', 'MAX_SHORT = type(uint256).max'],
    ['    if (floor == 0) floor = 1;\n', ''],
    ['netOut = grossOut - protocolFee(grossOut);', 'netOut = grossOut;'],
    ['        if (integratorFeeBps != 0) netOut -= partDown(grossOut, integratorFeeBps);\n', ''],
    ['fullMulDiv(netOut - 1, WHOLE_BPS', 'fullMulDivUp(netOut - 1, WHOLE_BPS'],
    ['WHOLE_BPS - FEE_BPS) + 1', 'WHOLE_BPS - FEE_BPS)'],
  ]),
}
