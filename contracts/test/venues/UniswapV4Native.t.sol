// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Venues} from "../../src/venues/Venues.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {UniswapV4Cases} from "../fixtures/UniswapV4Cases.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @notice Pools of the native currency, which the Router trades wrapped. The other token's address is above the wrapped
/// one's, as the native currency is below it, or below it.
abstract contract UniswapV4NativeCases is UniswapV4Cases {
    function other() internal view virtual returns (PlainToken);

    /// @notice The first token whose address is above the wrapped one's, or below it.
    function first(bool above) internal view returns (PlainToken) {
        for (uint256 i = 1; i < tokens.length; ++i) {
            if ((address(tokens[i]) > address(weth)) == above) return tokens[i];
        }
        revert("no such token");
    }

    function pair() internal view override returns (address, address) {
        return (address(weth), address(other()));
    }

    function tierIndex() internal pure override returns (uint256) {
        return 1;
    }

    function poolKey() internal view override returns (PoolKey memory) {
        // In the market cases the pool may be of any two tokens; without the wrapped one it is a plain pool.
        if (low != address(weth) && high != address(weth)) return super.poolKey();
        address token = low == address(weth) ? high : low;
        return PoolKey(Currency.wrap(address(0)), Currency.wrap(token), FEE, SPACING, IHooks(address(0)));
    }

    /// @dev Prices are told in the order of the tokens; the pool's own order is turned where the wrapped one is second.
    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address) {
        return super.open(token0, token1, _turned() ? uint160((1 << 192) / uint256(sqrtPriceX96)) : sqrtPriceX96);
    }

    function addLiquidity(int24 lower, int24 upper, uint128 liquidity) internal override {
        if (_turned()) (lower, upper) = (-upper, -lower);
        super.addLiquidity(lower, upper, liquidity);
    }

    function trade(bool zeroForOne, uint256 amountIn) internal override returns (uint256, uint256) {
        return super.trade(_turned() ? !zeroForOne : zeroForOne, amountIn);
    }

    /// @dev Neither after a leg that unwraps nor after one that takes: the PoolManager and the wrapped token pay no more.
    function test_swapExactIn_expectsNoNativeAfterALeg() public {
        _openAt(0);
        addLiquidity(-300 * spacing(), 300 * spacing(), 1e20);
        for (uint256 i; i < 2; ++i) {
            (uint256 quoted,) = Venues.quote(_read(), i == 0, 1e12);
            swap(_route(i == 0, quoted, 1e12), 1e12);
            address[2] memory senders = [address(manager), address(weth)];
            for (uint256 k; k < senders.length; ++k) {
                vm.deal(senders[k], 1e40);
                vm.prank(senders[k]);
                (bool ok, bytes memory reason) = address(router).call{value: 1}("");
                assertFalse(ok);
                assertEq(reason, abi.encodeWithSelector(IRouter.UnexpectedCall.selector, senders[k]));
            }
        }
    }

    function _turned() private view returns (bool) {
        return high == address(weth);
    }
}

/// forge-config: default.fuzz.runs = 100
contract UniswapV4NativeAboveTest is UniswapV4NativeCases {
    function other() internal view override returns (PlainToken) {
        return first(true);
    }
}

/// forge-config: default.fuzz.runs = 100
contract UniswapV4NativeBelowTest is UniswapV4NativeCases {
    function other() internal view override returns (PlainToken) {
        return first(false);
    }
}
