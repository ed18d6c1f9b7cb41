// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payments} from "../libraries/Payment.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {ExecutedDrawing, Execution} from "./ExecutedDrawing.sol";
import {HookedWords} from "./HookedWords.sol";
import {positionKey} from "./PositionKeys.sol";
import {SingletonAdapter, areSold} from "./SingletonAdapter.sol";
import {Singletons} from "./Singletons.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {StateLibrary} from "@uniswap/v4-core/src/libraries/StateLibrary.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {TransientStateLibrary} from "@uniswap/v4-core/src/libraries/TransientStateLibrary.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

/// @notice What is called of the PositionManager.
interface IPositionManager {
    function poolManager() external view returns (IPoolManager);
}

/// @title Uniswap V4's pools with hooks
/// @notice Hooks may change what a swap pays in any way, so that pools with them are priced by swaps that are undone. No list says
/// which hooks are good: a pool whose swap does not take the whole input and pay is refused, and so is one that burns gas.
/// @dev The registry is the PositionManager, which lists no pools by pair: pools are found as hints, which are their ids. The first
/// 25 bytes of an id are the leg's key, above 8 bits of zero. Nobody need be trusted for a pool's key, because its hash is the id.
contract UniswapV4HooksAdapter is SingletonAdapter, ExecutedDrawing, IUnlockCallback {
    using StateLibrary for IPoolManager;
    using TransientStateLibrary for IPoolManager;

    /// @dev A swap that is priced, or one that is settled.
    struct Trade {
        PoolKey key;
        bool zeroForOne;
        uint256 amountIn;
        /// Zero: the swap is undone.
        address to;
    }

    uint256 private constant KEY_WORDS = 5;
    uint256 private constant PROBE_GAS = 5_000;
    /// @dev What a fill may burn.
    uint256 private constant FILL_GAS = 1_000_000;
    /// @dev A fill takes about this much more than a swap that is undone: storage is cold, and tokens move. So a leg's swap is priced
    /// with that much less gas than it is filled with, and is refused if it takes more than `EXECUTION_GAS` of it: a hook that takes
    /// all the gas it gets would leave too little for the rest of the swap.
    uint256 private constant COLD_GAS = 100_000;
    /// @dev Gas that a leg adds to a swap beyond its execution, and what wrapping or unwrapping adds.
    uint256 private constant LEG_GAS = 44_000;
    uint256 private constant NATIVE_GAS = 16_000;
    uint256 private constant MAX_INPUT = uint128(type(int128).max);
    /// @dev Currencies in which a swap leaves something to settle.
    uint256 private constant OWN_DELTAS = 2;

    mapping(bytes25 id => PoolKey) private _announced;

    /// @notice How a swap that is undone ends: with what it has paid.
    error Priced(uint256 amountOut);
    /// @notice The pool does not take this swap whole, or does not pay for it.
    error Refused();
    /// @notice There is no such pool, or it has no hooks.
    error NoHookedPool(PoolKey key);

    /// @notice Everybody knows the pool's key from here on.
    event PoolAnnounced(bytes32 indexed id, PoolKey key);

    constructor(address registry_, address wrapped_) SingletonAdapter(registry_, wrapped_) {}

    /// @notice What keeps the pools.
    /// @dev Asked each time: what a constructor asks of another contract cannot be known from its arguments.
    function manager() public view returns (IPoolManager) {
        return IPositionManager(registry).poolManager();
    }

    /// @notice Makes a pool known of which the PositionManager never held a position. Anyone may: the key proves itself.
    function announce(PoolKey calldata key) external {
        bytes32 id = _idOf(key);
        (uint160 price,,,) = manager().getSlot0(PoolId.wrap(id));
        if (price == 0 || address(key.hooks) == address(0)) revert NoHookedPool(key);
        _announced[bytes25(id)] = key;
        emit PoolAnnounced(id, key);
    }

    /// @inheritdoc ISampler
    /// @dev Empty within a `STATICCALL`, where no swap can be run.
    function read(VenueKind, address, address, uint256 key) external returns (uint256[] memory) {
        try this.probe{gas: PROBE_GAS}() {}
        catch {
            return new uint256[](0);
        }
        (bool isKnown, PoolKey memory poolKey) = _poolKeyOf(key);
        if (!isKnown) return new uint256[](0);
        PoolId id = PoolId.wrap(_idOf(poolKey));
        IPoolManager pools = manager();
        (uint160 price,,,) = pools.getSlot0(id);
        return HookedWords.pack(key, poolKey, price, pools.getLiquidity(id));
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        returns (uint256 amountOut, uint256 gas)
    {
        Execution memory execution = _execute(state, zeroForOne, amountIn, FILL_GAS - COLD_GAS);
        if (execution.amountOut == 0 || execution.gas > EXECUTION_GAS) return (0, 0);
        gas = execution.gas + LEG_GAS;
        if (HookedWords.isNative(state)) gas += NATIVE_GAS;
        return (execution.amountOut, gas);
    }

    /// @notice Fails where nothing can be written.
    function probe() external {
        NativeSender.expect(address(0));
    }

    /// @inheritdoc IUnlockCallback
    /// @dev The PoolManager calls only whom it was called by.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        require(msg.sender == address(manager()));
        Trade memory trade = abi.decode(data, (Trade));
        if (trade.to == address(0)) _price(trade);
        return abi.encode(_settle(trade));
    }

    function _listed(address, address) internal pure override returns (uint256[] memory) {}

    function _poolOf(uint256 key) internal view override returns (uint256 id, address token0, address token1) {
        (bool isKnown, PoolKey memory poolKey) = _poolKeyOf(key);
        if (isKnown) id = uint256(_idOf(poolKey));
        (token0, token1) = _tokensOf(poolKey);
    }

    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        override
        returns (uint256)
    {
        (bool isKnown, PoolKey memory poolKey) = _poolKeyOf(key);
        (address token0, address token1) = _tokensOf(poolKey);
        if (!isKnown || !areSold(token0, token1, tokenIn, tokenOut)) revert NotInRegistry(address(poolKey.hooks));
        // The PoolManager counts no more.
        if (amountIn > MAX_INPUT) revert Refused();
        bytes memory data = abi.encode(Trade(poolKey, tokenIn == token0, amountIn, to));
        return abi.decode(manager().unlock{gas: FILL_GAS}(data), (uint256));
    }

    function _execute(uint256[] calldata state, bool zeroForOne, uint256 amountIn, uint256 gasCap)
        internal
        override
        returns (Execution memory execution)
    {
        if (amountIn > MAX_INPUT) return execution;
        bool inPool = HookedWords.inPool(state, zeroForOne, wrapped);
        Trade memory trade = Trade(HookedWords.poolKeyOf(state), inPool, amountIn, address(0));
        bytes memory data = abi.encodeCall(IPoolManager.unlock, (abi.encode(trade)));
        (address target, bytes4 priced) = (address(manager()), Priced.selector);
        uint256 gas = gasleft();
        bool succeeded;
        uint256 amountOut;
        // A hook chooses how much it reverts with, and Solidity would copy all of it.
        assembly ("memory-safe") {
            let reverted := iszero(call(gasCap, target, 0, add(data, 32), mload(data), 0, 36))
            succeeded := and(reverted, and(eq(returndatasize(), 36), eq(shl(224, shr(224, mload(0))), priced)))
            amountOut := mul(succeeded, mload(4))
        }
        return Execution(succeeded, amountOut, gas - gasleft());
    }

    function _unitOf(uint256[] calldata state, bool zeroForOne) internal view override returns (uint256) {
        return HookedWords.unitOf(state, HookedWords.inPool(state, zeroForOne, wrapped));
    }

    /// @dev Runs in the callback, where the caller is the PoolManager. Reverts always, and never with a hook's own reason, which could
    /// pose as a price.
    function _price(Trade memory trade) private {
        try IPoolManager(msg.sender).swap(trade.key, _paramsOf(trade), "") returns (BalanceDelta delta) {
            (uint256 paid, int256 received) = Singletons.amountsOf(BalanceDelta.unwrap(delta), trade.zeroForOne);
            if (paid == trade.amountIn && received >= 0 && _isOwed(trade.key, delta)) revert Priced(uint256(received));
        } catch {}
        revert Refused();
    }

    /// @dev Whether the swap's amounts are all that is to be settled: nobody would settle what a hook leaves open, in its own name
    /// or in this one.
    function _isOwed(PoolKey memory key, BalanceDelta delta) private view returns (bool) {
        IPoolManager pools = IPoolManager(msg.sender);
        return pools.getNonzeroDeltaCount() <= OWN_DELTAS
            && pools.currencyDelta(address(this), key.currency0) == delta.amount0()
            && pools.currencyDelta(address(this), key.currency1) == delta.amount1();
    }

    function _settle(Trade memory trade) private returns (uint256 bought) {
        BalanceDelta delta = IPoolManager(msg.sender).swap(trade.key, _paramsOf(trade), "");
        (uint256 paid, int256 received) = Singletons.amountsOf(BalanceDelta.unwrap(delta), trade.zeroForOne);
        Payments.requireAll(address(trade.key.hooks), trade.amountIn, paid);
        if (received <= 0) revert Refused();
        bought = uint256(received);
        (address sold, address gained) = (Currency.unwrap(trade.key.currency0), Currency.unwrap(trade.key.currency1));
        if (!trade.zeroForOne) (sold, gained) = (gained, sold);

        Singletons.pay(msg.sender, sold, trade.amountIn, wrapped);
        Singletons.collect(msg.sender, gained, bought, wrapped, trade.to);
    }

    /// @dev The key that the PositionManager or somebody else has made known; of a pool with hooks.
    function _poolKeyOf(uint256 key) private view returns (bool isKnown, PoolKey memory poolKey) {
        bytes25 id = _idIn(key);
        uint256[] memory words = positionKey(registry, id, KEY_WORDS);
        if (words.length != 0) {
            // A key in memory is its words.
            assembly ("memory-safe") {
                poolKey := add(words, 32)
            }
        } else {
            poolKey = _announced[id];
            if (bytes25(_idOf(poolKey)) != id) return (false, poolKey);
        }
        isKnown = address(poolKey.hooks) != address(0);
    }

    function _tokensOf(PoolKey memory key) private view returns (address token0, address token1) {
        (token0, token1) = (Currency.unwrap(key.currency0), Currency.unwrap(key.currency1));
        if (token0 == address(0)) token0 = wrapped;
    }

    function _paramsOf(Trade memory trade) private pure returns (SwapParams memory) {
        // Negative amounts are exact inputs.
        return SwapParams({
            zeroForOne: trade.zeroForOne,
            amountSpecified: -int256(trade.amountIn),
            sqrtPriceLimitX96: trade.zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1
        });
    }

    function _idOf(PoolKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }
}
