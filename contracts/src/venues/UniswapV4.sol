// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {NativeSender} from "../libraries/NativeSender.sol";
import {Payment, Payments} from "../libraries/Payment.sol";
import {PoolCalls} from "../libraries/PoolCalls.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {Curve, Pool} from "../types/Market.sol";
import {PackedVenue, Tier, VenueConfig} from "../types/Venue.sol";
import {Concentrated, PoolState, TickSource, TickState} from "./Concentrated.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {ProtocolFeeLibrary} from "@uniswap/v4-core/src/libraries/ProtocolFeeLibrary.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {EfficientHashLib} from "solady/utils/EfficientHashLib.sol";

/// @notice A token that stands for the chain's native one.
interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title Pools of Uniswap V4
/// @notice One contract, the PoolManager, holds all pools and is every leg's `pool`. The key tells them apart: fee in
/// pips (24 bits), tick spacing (23), whether the pool's other currency is native instead of the wrapped token (1), and
/// the hooks contract (160). A pool with hooks is traded on only if the venue's tiers list its whole key.
/// @dev `venue.deployer` is the PoolManager and `venue.initCodeHash` the wrapped native token. The third word of
/// `pool.state` is the storage slot of the pool in the PoolManager.
library UniswapV4 {
    using ProtocolFeeLibrary for uint16;
    using ProtocolFeeLibrary for uint24;

    bytes4 internal constant CALLBACK = IUnlockCallback.unlockCallback.selector;

    uint256 private constant LEG_GAS = 67_300;
    uint256 private constant TICK_GAS = 7_300;

    /* KEY */
    uint256 private constant SPACING_SHIFT = 24;
    uint256 private constant NATIVE_SHIFT = 47;
    uint256 private constant HOOKS_SHIFT = 48;
    uint256 private constant KEY_BITS = 208;
    uint256 private constant SPACING_MASK = (1 << 23) - 1;

    /* STORAGE OF THE POOLMANAGER */
    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant GROWTHS_OFFSET = 1;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    uint256 private constant TICKS_OFFSET = 4;
    uint256 private constant BITMAP_OFFSET = 5;
    bytes4 private constant EXTSLOAD = bytes4(keccak256("extsload(bytes32)"));
    bytes4 private constant EXTSLOAD_RANGE = bytes4(keccak256("extsload(bytes32,uint256)"));

    /// @dev What a loan hands itself.
    struct Loan {
        address token;
        uint256 amount;
        bytes data;
    }

    /// @notice The PoolManager; zero for a key that names no pool of the two tokens.
    function derive(PackedVenue memory venue, address tokenA, address tokenB, uint256 key)
        internal
        pure
        returns (address)
    {
        if (key >> KEY_BITS != 0) return address(0);
        address wrapped = _wrappedOf(venue);
        if (isNative(key) && tokenA != wrapped && tokenB != wrapped) return address(0);
        return venue.deployer();
    }

    /// @notice Whether a pool of the key has the native token, so that the venue's wrapped one is needed.
    function isNative(uint256 key) internal pure returns (bool) {
        return key >> NATIVE_SHIFT & 1 != 0;
    }

    /// @notice Whether a pool of the key pays `tokenOut` in native tokens, which are wrapped then.
    function isWrapped(PackedVenue memory venue, address tokenOut, uint256 key) internal pure returns (bool) {
        return isNative(key) && tokenOut == _wrappedOf(venue);
    }

    /// @notice Whether a fill on the key is allowed only if the Hub lists it.
    function mustBeListed(uint256 key) internal pure returns (bool) {
        return key >> HOOKS_SHIFT != 0;
    }

    /// @notice The callback of the PoolManager, a wrapped native token, and tiers that agree with their keys.
    function isValid(VenueConfig calldata config) internal pure returns (bool) {
        if (config.venue.callback != CALLBACK || config.venue.feePips != 0) return false;
        if (uint256(config.venue.initCodeHash) > type(uint160).max) return false;
        for (uint256 i; i < config.tiers.length; ++i) {
            Tier calldata tier = config.tiers[i];
            if (tier.tickSpacing <= 0 || uint24(tier.tickSpacing) != (tier.key >> SPACING_SHIFT & SPACING_MASK)) {
                return false;
            }
            if (!mustBeListed(tier.key) && tier.feePips != uint24(tier.key)) return false;
        }
        return true;
    }

    /* EXECUTION */

    /// @notice Swaps the payment for `tokenOut`, which goes to `to`, in the callback of the PoolManager. What the PoolManager
    /// pays in native tokens comes here, wrapped.
    /// @return What the PoolManager says that it has paid.
    function fill(PackedVenue memory venue, Payment memory payment, address tokenOut, uint256 key, address to)
        internal
        returns (uint256)
    {
        return PoolCalls.unlock(payment.pool, uint160(tokenOut), key, uint160(_wrappedOf(venue)), uint160(to));
    }

    /// @notice Answers the running callback: swaps, pays, takes, and ends the call. Reverts unless the pool takes all of the
    /// payment; the PoolManager reverts unless it is owed nothing at the end.
    function answer(Payment memory payment) internal {
        // Behind the offset and the length of the bytes that it is.
        (address tokenOut, uint256 key, address wrapped, address to) =
            abi.decode(msg.data[68:], (address, uint256, address, address));
        (address currencyIn, address currencyOut) = (payment.token, tokenOut);
        if (isNative(key)) {
            if (currencyIn == wrapped) currencyIn = address(0);
            else currencyOut = address(0);
        }
        uint256 bought = _swap(payment, _keyOf(currencyIn, currencyOut, key), currencyIn < currencyOut);

        address manager = payment.pool;
        PoolCalls.sync(manager, currencyIn);
        if (currencyIn == address(0)) {
            _unwrap(payment, wrapped);
            PoolCalls.settle(manager, payment.amount);
        } else {
            payment.settle();
            PoolCalls.settle(manager, 0);
        }

        if (currencyOut == address(0)) {
            NativeSender.expect(manager);
            PoolCalls.take(manager, address(0), address(this), bought);
            NativeSender.expect(address(0));
            IWrappedNative(wrapped).deposit{value: bought}();
        } else {
            PoolCalls.take(manager, currencyOut, to, bought);
        }
        // return abi.encode(abi.encode(bought));
        // But that makes room for it twice.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, 32)
            mstore(add(free, 32), 32)
            mstore(add(free, 64), bought)
            return(free, 96)
        }
    }

    /// @notice Takes `amount` of `token` as a loan; `loanData` does the taking.
    function borrow(address pool, address token, uint256 amount, bytes memory data) internal {
        IPoolManager(pool).unlock(abi.encode(Loan(token, amount, data)));
    }

    /// @notice Takes the loan of the running callback; the `data` that came with it.
    function loanData() internal returns (bytes memory) {
        Loan memory loan = abi.decode(abi.decode(msg.data[4:], (bytes)), (Loan));
        IPoolManager(msg.sender).take(Currency.wrap(loan.token), address(this), loan.amount);
        return loan.data;
    }

    function _swap(Payment memory payment, PoolKey memory key, bool zeroForOne) private returns (uint256 bought) {
        // Negative amounts are exact inputs. Beyond 127 bits the PoolManager reverts, so the sign is safe.
        payment.requireAtMost(uint256(uint128(type(int128).max)));
        uint160 limit = zeroForOne ? Concentrated.LOWEST_LIMIT : Concentrated.HIGHEST_LIMIT;
        unchecked {
            (int128 paid, int128 received) =
                PoolCalls.swapManager(payment.pool, key, zeroForOne, -int256(payment.amount), limit);
            if (!zeroForOne) (paid, received) = (received, paid);
            Payments.requireAll(payment.pool, payment.amount, paid < 0 ? uint256(-int256(paid)) : 0);
            return received > 0 ? uint256(int256(received)) : 0;
        }
    }

    function _unwrap(Payment memory payment, address wrapped) private {
        if (payment.payer != address(this)) {
            Transfers.collect(wrapped, payment.payer, address(this), payment.amount);
        }
        NativeSender.expect(wrapped);
        IWrappedNative(wrapped).withdraw(payment.amount);
        NativeSender.expect(address(0));
    }

    /* SEARCH */

    /// @notice Reads price, tick, fees and liquidity. False if there is no pool.
    function read(Pool memory pool) internal view returns (bool) {
        PoolKey memory key = _poolKey(pool.address0, pool.address1, pool.tier.key, _wrappedOf(pool.venue));
        uint256 slot = uint256(EfficientHashLib.hash(PoolId.unwrap(key.toId()), bytes32(POOLS_SLOT)));
        (bool ok, uint256 slot0) = _load(pool.pool, slot);
        if (!ok || slot0 == 0) return false;
        uint256 liquidity;
        (ok, liquidity) = _load(pool.pool, slot + LIQUIDITY_OFFSET);
        if (!ok) return false;

        pool.state[2] = slot;
        uint24 lpFee = uint24(slot0 >> 208);
        uint24 protocolFees = uint24(slot0 >> 184);
        return Concentrated.keep(
            pool,
            PoolState({
                sqrtPriceX96: uint160(slot0),
                tick: int24(uint24(slot0 >> 160)),
                liquidity: liquidity,
                feeZeroForOne: protocolFees.getZeroForOneFee().calculateSwapFee(lpFee),
                feeOneForZero: protocolFees.getOneForZeroFee().calculateSwapFee(lpFee),
                tickSpacing: key.tickSpacing
            })
        );
    }

    /// @notice Loads up to `ranges` more initialized ticks in the direction of the swap.
    function extend(Pool memory pool, bool zeroForOne, Curve memory curve, uint256 ranges) internal view {
        Concentrated.extend(_source(), pool, _inPool(pool, zeroForOne), curve, ranges);
    }

    /// @notice What the pool pays for `amountIn`, and the gas of the leg; zero if it cannot take all of it.
    function quote(Pool memory pool, bool zeroForOne, uint256 amountIn)
        internal
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (amountIn > uint128(type(int128).max)) return (0, 0);
        (amountOut, gas) = Concentrated.quote(_source(), pool, _inPool(pool, zeroForOne), amountIn);
        if (isNative(pool.tier.key) && gas != 0) gas += NATIVE_GAS;
    }

    /// @dev What wrapping or unwrapping adds.
    uint256 private constant NATIVE_GAS = 12_000;

    function _source() private pure returns (TickSource memory) {
        return TickSource(false, true, _wordAt, _tickAt, _growths, LEG_GAS, TICK_GAS, 0);
    }

    function _wordAt(Pool memory pool, int256 position) private view returns (bool, uint256) {
        return _load(pool.pool, uint256(EfficientHashLib.hash(uint256(position), pool.state[2] + BITMAP_OFFSET)));
    }

    function _growths(Pool memory pool) private view returns (uint256 growth0, uint256 growth1) {
        (, growth0) = _load(pool.pool, pool.state[2] + GROWTHS_OFFSET);
        (, growth1) = _load(pool.pool, pool.state[2] + GROWTHS_OFFSET + 1);
    }

    /// @dev A tick is three words: gross liquidity below net liquidity, and the two growths.
    function _tickAt(Pool memory pool, int256 tick) private view returns (bool, TickState memory) {
        uint256 slot = uint256(EfficientHashLib.hash(uint256(tick), pool.state[2] + TICKS_OFFSET));
        (uint256 words, uint256[8] memory info) = StaticRead.words(pool.pool, EXTSLOAD_RANGE, slot, 3);
        return (words == 5, TickState(uint256(int256(info[2]) >> 128), info[3], info[4], 0, 0));
    }

    function _load(address manager, uint256 slot) private view returns (bool ok, uint256 word) {
        (ok, word,) = StaticRead.twoWords(manager, EXTSLOAD, slot, 1);
    }

    /* KEY */

    /// @dev The direction as the pool counts its currencies: the native one is always the first.
    function _inPool(Pool memory pool, bool zeroForOne) private pure returns (bool) {
        if (isNative(pool.tier.key) && pool.address1 == _wrappedOf(pool.venue)) return !zeroForOne;
        return zeroForOne;
    }

    function _poolKey(address tokenA, address tokenB, uint256 key, address wrapped)
        private
        pure
        returns (PoolKey memory)
    {
        if (isNative(key)) {
            if (tokenA == wrapped) tokenA = address(0);
            else tokenB = address(0);
        }
        return _keyOf(tokenA, tokenB, key);
    }

    /// @dev Of currencies: the native one is the zero address.
    function _keyOf(address tokenA, address tokenB, uint256 key) private pure returns (PoolKey memory) {
        (address currency0, address currency1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
        return PoolKey({
            currency0: Currency.wrap(currency0),
            currency1: Currency.wrap(currency1),
            fee: uint24(key),
            tickSpacing: int24(uint24(key >> SPACING_SHIFT & SPACING_MASK)),
            hooks: IHooks(address(uint160(key >> HOOKS_SHIFT)))
        });
    }

    function _wrappedOf(PackedVenue memory venue) private pure returns (address) {
        return address(uint160(uint256(venue.initCodeHash)));
    }
}
