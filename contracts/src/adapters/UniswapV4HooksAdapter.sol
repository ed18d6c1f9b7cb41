// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAdapter} from "../interfaces/IAdapter.sol";
import {ISampler} from "../interfaces/ISampler.sol";
import {ask} from "../libraries/Answers.sol";
import {NativeSender} from "../libraries/NativeSender.sol";
import {Payments} from "../libraries/Payment.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {IWrappedNative} from "../venues/UniswapV4.sol";
import {AdapterBase} from "./AdapterBase.sol";
import {ExecutedDrawing, Execution} from "./ExecutedDrawing.sol";
import {HookedWords} from "./HookedWords.sol";
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
    /// @dev Of each pool in which it has ever held a position; zeros for others.
    function poolKeys(bytes25 id) external view returns (PoolKey memory);
}

/// @title Uniswap V4's pools with hooks
/// @notice Hooks may change what a swap pays in any way, so that pools with them are priced by swaps that are undone. No list says
/// which hooks are good: a pool whose swap does not take the whole input and pay is refused, and so is one that burns gas.
/// @dev The registry is the PositionManager, which lists no pools by pair: pools are found as hints, which are their ids. The first
/// 25 bytes of an id are the leg's key, above 8 bits of zero. Nobody need be trusted for a pool's key, because its hash is the id.
contract UniswapV4HooksAdapter is AdapterBase, ExecutedDrawing, IUnlockCallback {
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

    uint256 private constant KEY_SHIFT = 8;
    uint256 private constant ID_BITS = 200;
    uint256 private constant REGISTRY_GAS = 60_000;
    uint256 private constant PROBE_GAS = 5_000;
    /// @dev What a fill may burn.
    uint256 private constant FILL_GAS = 1_000_000;
    /// @dev Gas that a leg adds to a swap beyond its execution, and what wrapping or unwrapping adds.
    uint256 private constant LEG_GAS = 44_000;
    uint256 private constant NATIVE_GAS = 16_000;
    uint256 private constant MAX_INPUT = uint128(type(int128).max);
    /// @dev Currencies in which a swap leaves something to settle.
    uint256 private constant OWN_DELTAS = 2;

    /// @notice The wrapped native token, as which pools of the native one are traded.
    address public immutable wrapped;

    mapping(bytes25 id => PoolKey) private _announced;

    /// @notice How a swap that is undone ends: with what it has paid.
    error Priced(uint256 amountOut);
    /// @notice The pool does not take this swap whole, or does not pay for it.
    error Refused();
    /// @notice There is no such pool, or it has no hooks.
    error NoHookedPool(PoolKey key);

    /// @notice Everybody knows the pool's key from here on.
    event PoolAnnounced(bytes32 indexed id, PoolKey key);

    constructor(address registry_, address wrapped_) AdapterBase(registry_) {
        wrapped = wrapped_;
    }

    /// @notice Takes native tokens from the wrapped one and from the PoolManager while a swap needs them.
    receive() external payable {
        require(NativeSender.isExpected(msg.sender));
    }

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
        Execution memory execution = _execute(state, zeroForOne, amountIn);
        if (execution.amountOut == 0) return (0, 0);
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

    function _isOf(uint256 key, uint256 hint) internal pure override returns (bool) {
        return key >> KEY_SHIFT == hint >> (256 - ID_BITS);
    }

    function _keyFor(uint256 hint, address token0, address token1) internal view override returns (uint256) {
        uint256 key = hint >> (256 - ID_BITS) << KEY_SHIFT;
        (bool isKnown, PoolKey memory poolKey) = _poolKeyOf(key);
        if (!isKnown || uint256(_idOf(poolKey)) != hint) return 0;
        (address tokenA, address tokenB) = _tokensOf(poolKey);
        if (tokenA > tokenB) (tokenA, tokenB) = (tokenB, tokenA);
        return tokenA == token0 && tokenB == token1 ? key : 0;
    }

    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        override
        returns (uint256)
    {
        (bool isKnown, PoolKey memory poolKey) = _poolKeyOf(key);
        (address token0, address token1) = _tokensOf(poolKey);
        bool zeroForOne = tokenIn == token0;
        if (!isKnown || tokenOut != (zeroForOne ? token1 : token0) || !zeroForOne && tokenIn != token1) {
            revert NotInRegistry(address(poolKey.hooks));
        }
        // The PoolManager counts no more.
        if (amountIn > MAX_INPUT) revert Refused();
        bytes memory data = abi.encode(Trade(poolKey, zeroForOne, amountIn, to));
        return abi.decode(manager().unlock{gas: FILL_GAS}(data), (uint256));
    }

    function _execute(uint256[] calldata state, bool zeroForOne, uint256 amountIn)
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
            let reverted := iszero(call(EXECUTION_GAS, target, 0, add(data, 32), mload(data), 0, 36))
            succeeded := and(reverted, and(eq(returndatasize(), 36), eq(shl(224, shr(224, mload(0))), priced)))
            amountOut := mul(succeeded, mload(4))
        }
        return Execution(succeeded, amountOut, gas - gasleft());
    }

    function _unitOf(uint256[] calldata state, bool zeroForOne) internal view override returns (uint256) {
        return HookedWords.unitOf(state, HookedWords.inPool(state, zeroForOne, wrapped));
    }

    /// @dev In the callback, so that the caller is the PoolManager. Reverts always. A hook's own reason is not passed on, so that it cannot pose as a price.
    function _price(Trade memory trade) private {
        try IPoolManager(msg.sender).swap(trade.key, _paramsOf(trade), "") returns (BalanceDelta delta) {
            (uint256 paid, int256 received) = _amountsOf(trade, delta);
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
        (uint256 paid, int256 received) =
            _amountsOf(trade, IPoolManager(msg.sender).swap(trade.key, _paramsOf(trade), ""));
        Payments.requireAll(address(trade.key.hooks), trade.amountIn, paid);
        if (received <= 0) revert Refused();
        bought = uint256(received);
        (address sold, address gained) = (Currency.unwrap(trade.key.currency0), Currency.unwrap(trade.key.currency1));
        if (!trade.zeroForOne) (sold, gained) = (gained, sold);

        PoolCalls.sync(msg.sender, sold);
        if (sold == address(0)) {
            NativeSender.expect(wrapped);
            IWrappedNative(wrapped).withdraw(trade.amountIn);
            NativeSender.expect(address(0));
            PoolCalls.settle(msg.sender, trade.amountIn);
        } else {
            Transfers.send(sold, msg.sender, trade.amountIn);
            PoolCalls.settle(msg.sender, 0);
        }

        if (gained != address(0)) {
            PoolCalls.take(msg.sender, gained, trade.to, bought);
            return bought;
        }
        NativeSender.expect(msg.sender);
        PoolCalls.take(msg.sender, address(0), address(this), bought);
        NativeSender.expect(address(0));
        IWrappedNative(wrapped).deposit{value: bought}();
        Transfers.send(wrapped, trade.to, bought);
    }

    /// @dev The key that the PositionManager or somebody else has made known; of a pool with hooks.
    function _poolKeyOf(uint256 key) private view returns (bool isKnown, PoolKey memory poolKey) {
        if (uint8(key) != 0 || key >> (ID_BITS + KEY_SHIFT) != 0) return (false, poolKey);
        bytes25 id = bytes25(uint200(key >> KEY_SHIFT));
        uint256[] memory words = ask(registry, REGISTRY_GAS, 5, abi.encodeCall(IPositionManager.poolKeys, (id)));
        if (words.length == 5 && bytes25(keccak256(abi.encodePacked(words))) == id) {
            // Its hash is the id of a pool if there is one, and these are the words of a key then.
            assembly ("memory-safe") {
                mcopy(poolKey, add(words, 32), 160)
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

    /// @return paid What the swap costs.
    /// @return received What it pays; negative if that is owed as well.
    function _amountsOf(Trade memory trade, BalanceDelta delta) private pure returns (uint256 paid, int256 received) {
        (int256 amount0, int256 amount1) = (delta.amount0(), delta.amount1());
        (int256 given, int256 taken) = trade.zeroForOne ? (amount0, amount1) : (amount1, amount0);
        return (given < 0 ? uint256(-given) : 0, taken);
    }

    function _idOf(PoolKey memory key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }
}
