import { bugsOf, type Planting } from '../planting.js'

const file = 'v2/Staking.sol'

export const staking: Planting = {
  set: 'staking',
  suites: ['math/Stream.t.sol', 'v2/Staking.t.sol', 'v2/StakingInvariant.t.sol'],
  bugs: [
    ...bugsOf(file, [
      // Balances and totals that are not updated.
      ['        account.staked += amount;\n', ''],
      ['        totalStaked += amount;\n', ''],
      ['        account.staked -= amount;\n', ''],
      ['        totalStaked -= amount;\n', ''],
      ['        rewardReserve += amount;\n', ''],
      ['        rewardReserve -= reward;\n', ''],
      ['        account.earnedX128 -= reward << 128;\n', ''],
      // Updates that are skipped.
      ['        _perUnitX128 = perUnitX128;\n        rewardReserve', '        rewardReserve'],
      ['        _stream = stream;\n        _perUnitX128 = perUnitX128;\n\n', '\n'],
      ['        account.earnedX128 = _earnedX128(account, perUnitX128);\n', ''],
      ['        account.perUnitX128 = perUnitX128;\n', ''],
      // Rounding in the wrong direction, and lost fractions.
      [
        'reward = account.earnedX128 >> 128',
        'reward = (account.earnedX128 + type(uint128).max) >> 128',
      ],
      ['account.earnedX128 -= reward << 128', 'account.earnedX128 = 0'],
      ['(released << 128) / total', '((released << 64) / total) << 64'],
      // Donations that count, stakes that dilute.
      ['uint256 total = totalStaked', 'uint256 total = IERC20(slu).balanceOf(address(this))'],
      ['uint256 owed = totalStaked + rewardReserve', 'uint256 owed = backing'],
      ['backing >= owed', 'backing > owed'],
      ['result.surplus = backing - owed', 'result.surplus = backing'],
      ['rewardReserve - stream.left() - stream.queued', 'rewardReserve - stream.left()'],
      ['owed == 0 ? type(uint256).max', 'owed == 0 ? 0'],
      // Rewards at the wrong time.
      [
        'stream.queued = SafeCastLib.toUint96(stream.queued + amount)',
        'stream.total = SafeCastLib.toUint96(stream.total + amount)',
      ],
      ['advance(block.timestamp, total != 0)', 'advance(block.timestamp, true)'],
      // Checks that are missing.
      ['amount > account.staked', 'amount > totalStaked'],
      [
        '        if (amount == 0) revert ZeroAmount();\n        _checkRecipient(recipient);\n',
        '        if (amount == 0) revert ZeroAmount();\n',
      ],
      ['recipient == address(0) || ', ''],
      [' || recipient == slu', ''],
      ['        reward = _takeReward(account, recipient);\n', ''],
      [
        'try IERC20Permit(slu).permit(msg.sender, address(this), amount, deadline, v, r, s) {} catch {}',
        'IERC20Permit(slu).permit(msg.sender, address(this), amount, deadline, v, r, s);',
      ],
    ]),
    ...bugsOf('math/Stream.sol', [
      ['= (stream.queued, 0)', '= (stream.total + stream.queued, 0)'],
      ['time >= end', 'time > end'],
      ['start != end', 'start == end'],
      ['                stream.total = 0;\n', ''],
      ['            stream.updatedAt = uint64(start);\n', ''],
      ['    stream.updatedAt = uint64(time);\n', ''],
      ['        stream.queued += uint96(released);\n', ''],
      ['        released = 0;\n', ''],
      [
        'return total * elapsed / EPOCH_SECONDS',
        'return (total * elapsed + EPOCH_SECONDS - 1) / EPOCH_SECONDS',
      ],
      ['EPOCH_SECONDS = 7 days', 'EPOCH_SECONDS = 8 days'],
    ]),
  ],
}
