// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

interface IDecimals {
    function decimals() external view returns (uint8);
}

/// @title StableSwap pool of the devnet
/// @notice Has the interface of Curve's plain pools and is not Curve's code, of which no npm package has the bytecode:
/// it is written from the published mathematics, and apart from the mathematics that the protocol quotes with.
contract DevStableSwap {
    uint256 private constant WHOLE_FEE = 1e10;
    uint256 private constant A_PRECISION = 100;
    /// @notice Part of the fee that leaves the balances, in 1e-10.
    uint256 public constant admin_fee = 5e9;

    address[] public coins;
    uint256[] public balances;
    uint256 public immutable fee;
    uint256 public immutable A;

    event TokenExchange(
        address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought
    );

    error AlreadySeeded();
    error Slippage(uint256 least, uint256 bought);

    /// @param fee_ In 1e-10.
    constructor(address[] memory coins_, uint256 a, uint256 fee_) {
        (coins, A, fee) = (coins_, a, fee_);
        balances = new uint256[](coins_.length);
    }

    /// @notice Takes over what the pool was paid; once.
    function seed() external {
        for (uint256 k; k < coins.length; ++k) {
            if (balances[k] != 0) revert AlreadySeeded();
            balances[k] = SafeTransferLib.balanceOf(coins[k], address(this));
        }
    }

    function A_precise() external view returns (uint256) {
        return A * A_PRECISION;
    }

    function get_dy(int128 i, int128 j, uint256 dx) external view returns (uint256 dy) {
        (dy,) = _outputs(uint128(i), uint128(j), dx);
    }

    function exchange(int128 i, int128 j, uint256 dx, uint256 least) external returns (uint256) {
        (uint256 sold, uint256 bought) = (uint128(i), uint128(j));
        (uint256 dy, uint256 charged) = _outputs(sold, bought, dx);
        if (dy < least) revert Slippage(least, dy);
        SafeTransferLib.safeTransferFrom(coins[sold], msg.sender, address(this), dx);
        SafeTransferLib.safeTransfer(coins[bought], msg.sender, dy);
        balances[sold] += dx;
        balances[bought] -= dy + charged * admin_fee / WHOLE_FEE / _unit(bought);
        emit TokenExchange(msg.sender, i, dx, j, dy);
        return dy;
    }

    /// @return dy What is paid, in base units.
    /// @return charged The fee, in 1e-18 of a whole coin.
    function _outputs(uint256 i, uint256 j, uint256 dx) private view returns (uint256 dy, uint256 charged) {
        uint256[] memory whole = new uint256[](coins.length);
        for (uint256 k; k < whole.length; ++k) {
            whole[k] = balances[k] * _unit(k);
        }
        uint256 invariant = _invariantOf(whole);
        uint256 before = whole[j];
        whole[i] += dx * _unit(i);
        uint256 gross = before - _balanceOn(whole, j, invariant) - 1;
        charged = gross * fee / WHOLE_FEE;
        dy = (gross - charged) / _unit(j);
    }

    /// @dev What a base unit is in 1e-18 of a whole coin.
    function _unit(uint256 k) private view returns (uint256) {
        return 10 ** (18 - IDecimals(coins[k]).decimals());
    }

    /// @dev D of `A n sum + D = A n D + D^(n+1) / (n^n prod)` by Newton's method, as the published pools round it.
    function _invariantOf(uint256[] memory whole) private view returns (uint256 invariant) {
        uint256 n = whole.length;
        uint256 sum;
        for (uint256 k; k < n; ++k) {
            sum += whole[k];
        }
        uint256 ann = A * A_PRECISION * n;
        uint256 last;
        invariant = sum;
        do {
            last = invariant;
            uint256 power = last;
            for (uint256 k; k < n; ++k) {
                power = power * last / (whole[k] * n);
            }
            uint256 above = (ann * sum / A_PRECISION + power * n) * last;
            invariant = above / ((ann - A_PRECISION) * last / A_PRECISION + (n + 1) * power);
        } while (_apart(invariant, last));
    }

    /// @dev The balance of coin `j` that keeps the invariant with the other balances.
    function _balanceOn(uint256[] memory whole, uint256 j, uint256 invariant) private view returns (uint256 y) {
        uint256 n = whole.length;
        uint256 ann = A * A_PRECISION * n;
        uint256 c = invariant;
        uint256 b = invariant * A_PRECISION / ann;
        for (uint256 k; k < n; ++k) {
            if (k == j) continue;
            b += whole[k];
            c = c * invariant / (whole[k] * n);
        }
        c = c * invariant * A_PRECISION / (ann * n);
        uint256 last;
        y = invariant;
        do {
            last = y;
            y = (last * last + c) / (2 * last + b - invariant);
        } while (_apart(y, last));
    }

    function _apart(uint256 a, uint256 b) private pure returns (bool) {
        return a > b ? a - b > 1 : b - a > 1;
    }
}
