// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Plan, PreviewOptions} from "../../src/types/Plan.sol";
import {
    AFTER_SWAP,
    AFTER_SWAP_DELTA,
    AntiSandwichHook,
    BEFORE_SWAP,
    BEFORE_SWAP_DELTA,
    BonusHook,
    ChosenFeeHook,
    CurveHook,
    DYNAMIC_FEE,
    InputFeeHook,
    OutputFeeHook
} from "../fixtures/Hooks.sol";
import {HooksFixture} from "../fixtures/HooksFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {UpperBoundCases} from "./UpperBound.t.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// forge-config: default.fuzz.runs = 40
/// @notice The same on markets with pools of Uniswap V4 with hooks. What such a pool pays between two samples is a guess, which is
/// right for pools of one position at all prices: what an output costs on average is a line of the input there, whatever part of
/// the input or the output a hook keeps.
contract HookedBoundTest is UpperBoundCases, HooksFixture {
    uint24 private constant CHOSEN_FEE = 1234;

    /// @dev The last one has a curve of its own.
    address[6] private _hooks;
    uint24[6] private _fees = [DYNAMIC_FEE, 500, 500, 3000, 100, 0];
    uint16 private _venue;
    uint256[] private _hints;

    function setUp() public override {
        super.setUp();
        _venue = addHooksVenue();
        _hooks[0] = place(address(new ChosenFeeHook(manager, CHOSEN_FEE)), BEFORE_SWAP);
        _hooks[1] = place(address(new InputFeeHook(manager)), BEFORE_SWAP | BEFORE_SWAP_DELTA);
        _hooks[2] = place(address(new OutputFeeHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        _hooks[3] = place(address(new BonusHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        _hooks[4] = place(address(new AntiSandwichHook(manager)), AFTER_SWAP | AFTER_SWAP_DELTA);
        _hooks[5] = place(address(new CurveHook(manager)), BEFORE_SWAP | BEFORE_SWAP_DELTA);
    }

    /// @dev Random routings and climbs must pass such pools, or these tests say nothing.
    function test_plan_usesPoolsWithHooks() public {
        uint256 used;
        for (uint256 seed; seed < 6; ++seed) {
            uint256 snapshot = vm.snapshotState();
            Plan memory plan = _plan(_next(seed, 7));
            for (uint256 k; k < plan.route.legs.length; ++k) {
                if (plan.route.legs[k].venue == _venue) ++used;
            }
            vm.revertToStateAndDelete(snapshot);
        }
        assertGt(used, 3);
    }

    /// @dev A pool with each hook, of a random pair; some are of the native token.
    function seedRoutings(uint256 seed) internal override {
        super.seedRoutings(seed);
        for (uint256 k; k < _hooks.length; ++k) {
            uint256 random = uint256(keccak256(abi.encode(seed, "hooked", k)));
            uint256 a = random % tokens.length;
            uint256 b = (a + 1 + (random >> 8) % (tokens.length - 1)) % tokens.length;
            _placeHooked(k, a, b, random >> 16);
        }
    }

    function previewOf(PlainToken tokenIn, PlainToken tokenOut, uint256 amountIn)
        internal
        override
        returns (Plan memory)
    {
        PreviewOptions memory options;
        options.pools = _hints;
        return executingQuoter().previewPlan(address(tokenIn), address(tokenOut), amountIn, options);
    }

    function _placeHooked(uint256 k, uint256 a, uint256 b, uint256 random) private {
        bool isNative = (a == WETH_INDEX || b == WETH_INDEX) && random & 1 == 1;
        PoolKey memory key = keyOf(_hooks[k], a, b, _fees[k], isNative);
        if (Currency.unwrap(key.currency1) != address(tokens[b])) (a, b) = (b, a);
        (uint256 amount0, uint256 amount1) = _amounts(a, b, random >> 8);
        createPool(key, amount0, amount1);
        _add(_venue, address(hooked), legKeyOf(key), a, b);
        _hints.push(idOf(key));
    }
}
