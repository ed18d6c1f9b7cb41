import { bugsOf, type Planting } from '../planting.js'

export const core: Planting = {
  set: 'core',
  suites: [
    'math/FeeSplit.t.sol',
    'math/LotPrice.t.sol',
    'v2/Core.t.sol',
    'v2/CoreTokens.t.sol',
    'v2/CoreInvariant.t.sol',
  ],
  bugs: [
    ...bugsOf('v2/Core.sol', [
      // The fee split and its storage slot.
      [
        '            t1 += toT1;\n            t2 = held - t1;\n',
        '            t1 += toT1;\n            t2 += toT1;\n',
      ],
      ['        if (held > MAX_RECORDED) held = MAX_RECORDED;\n', ''],
      ['MAX_RECORDED = type(uint104).max', 'MAX_RECORDED = type(uint112).max'],
      // Missing records.
      ['        _lines[token].t2 = 0;\n', ''],
      ['        _lines[slu].t1 = 0;\n', ''],
      ['        _lines[token].t1 = 0;\n', ''],
      ['            t1 = t1 * held / recorded;\n', ''],
      ['t1 = t1 * held / recorded', 't1 = 0'],
      ['} else if (line.t1 < before.t1 || line.t2', '} else if (line.t1 < before.t1 && line.t2'],
      ['line.t1 > before.t1 || line.t2 > before.t2', 'line.t1 > before.t1'],
      // Locks.
      ['        if (token == _paying) revert Reentered(token);\n', ''],
      ['        if (_paying != address(0)) revert Reentered(_paying);\n', ''],
      ['        _paying = token;\n', ''],
      ['        _paying = address(0);\n', ''],
      // Wrong payments.
      [
        'token.safeTransfer(recipient, amount);\n        emit T2',
        'token.safeTransfer(msg.sender, amount);\n        emit T2',
      ],
      ['        slu.safeTransferFrom(msg.sender, address(this), paid);\n', ''],
      ['        _fund(paid);\n', ''],
      [
        'safeApproveWithRetry(address(staking), amount)',
        'safeApproveWithRetry(address(staking), type(uint256).max)',
      ],
      // The sale.
      ['        if (paid > maxPay) revert PriceAboveMaximum(paid, maxPay);\n', ''],
      ['paid > maxPay', 'paid >= maxPay'],
      ['        if (token == slu) revert NotForSale(token);\n', ''],
      ['        if (amount == 0) revert EmptyLot(token);\n', ''],
      ['recipient == address(0) || ', ''],
      [' || recipient == address(this)', ''],
      ['            if (toT1 != 0) bornAt = rebornAt(bornAt, block.timestamp, t1, toT1);\n', ''],
      ['block.timestamp, t1, toT1)', 'block.timestamp, 0, toT1)'],
      ['if (toT1 != 0) bornAt', 'bornAt'],
    ]),
    ...bugsOf('math/FeeSplit.sol', [
      ['STAKERS_BPS = 5_000', 'STAKERS_BPS = 5_001'],
      ['amount * STAKERS_BPS / WHOLE_BPS', '(amount * STAKERS_BPS + WHOLE_BPS - 1) / WHOLE_BPS'],
    ]),
    ...bugsOf('math/LotPrice.sol', [
      ['price - (price >> 1) * (age % LOT_HALF_LIFE) / LOT_HALF_LIFE', 'price'],
      ['(price >> 1)', 'price'],
      ['    if (age > LOT_MAX_AGE) age = LOT_MAX_AGE;\n', ''],
      ['age * added / (amount + added)', '(age * added + amount + added - 1) / (amount + added)'],
      ['age * added / (amount + added)', 'age * amount / (amount + added)'],
      ['LOT_HALF_LIFE = 15 minutes', 'LOT_HALF_LIFE = 16 minutes'],
      ['LOT_HALVINGS = 90', 'LOT_HALVINGS = 89'],
    ]),
  ],
}
