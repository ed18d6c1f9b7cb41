// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {Payments} from "../libraries/Payment.sol";
import {StaticRead} from "../libraries/StaticRead.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {Concentrated} from "../venues/Concentrated.sol";
import {InfinityClReads} from "./InfinityClReads.sol";
import {ICLPoolManager, ICLPositionManager, IInfinityVault, InfinityKey, InfinityPools} from "./InfinityPools.sol";
import {positionKey} from "./PositionKeys.sol";
import {SingletonAdapter, areSold} from "./SingletonAdapter.sol";
import {Singletons} from "./Singletons.sol";

/// @title PancakeSwap Infinity's pools of concentrated liquidity, unless hooks run in their swaps
/// @notice The registry is the CLPositionManager. Pools of the common tiers are found by their ids, others as hints, which are ids.
/// @dev The first 25 bytes of an id are the leg's key, above a byte that says that the pool's own formula prices it. Nobody need be
/// trusted for what a pool is: the hash of it is its id. That of a common tier is guessed, and others are asked for.
contract InfinityClAdapter is SingletonAdapter {
    using InfinityPools for InfinityKey;

    /// @dev A swap within the Vault's callback.
    struct Trade {
        InfinityKey key;
        bool zeroForOne;
        uint256 amountIn;
        address to;
    }

    /// @dev The last byte of a key.
    uint8 private constant HAS_FORMULA = 1;
    uint256 private constant KEY_WORDS = 6;
    uint256 private constant MAX_INPUT = uint128(type(int128).max);

    constructor(address registry_, address wrapped_) SingletonAdapter(registry_, wrapped_) {}

    /// @notice What computes swaps. The tokens are in its Vault.
    /// @dev Asked each time: what a constructor asks of another contract cannot be known from its arguments.
    function manager() public view returns (address) {
        return ICLPositionManager(registry).clPoolManager();
    }

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory words) {
        (bool isKnown, InfinityKey memory poolKey) = _ask(key, manager());
        if (isKnown) return InfinityClReads.read(key, poolKey);
    }

    /// @inheritdoc ISampler
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        view
        returns (Drawing memory)
    {
        return InfinityClReads.draw(state, zeroForOne, stretch, wrapped);
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        return InfinityClReads.quote(state, zeroForOne, amountIn, wrapped);
    }

    /// @notice Swaps within the Vault's `lock`, which only `swap` calls.
    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        Trade memory trade = abi.decode(data, (Trade));
        require(msg.sender == ICLPoolManager(manager()).vault());
        int256 delta = ICLPoolManager(trade.key.poolManager).swap(trade.key, _paramsOf(trade), "");
        (uint256 paid, int256 received) = Singletons.amountsOf(delta, trade.zeroForOne);
        (address sold, address gained) = (trade.key.currency0, trade.key.currency1);
        if (!trade.zeroForOne) (sold, gained) = (gained, sold);
        Payments.requireAll(trade.key.poolManager, trade.amountIn, paid);
        uint256 bought = received > 0 ? uint256(received) : 0;
        Singletons.pay(msg.sender, sold, trade.amountIn, wrapped);
        Singletons.collect(msg.sender, gained, bought, wrapped, trade.to);
        return abi.encode(bought);
    }

    /// @dev Of the common tiers, those that have a price.
    function _listed(address token0, address token1) internal view override returns (uint256[] memory ids) {
        address pools = manager();
        InfinityKey[] memory keys = InfinityPools.commonKeys(pools, token0, token1, wrapped);
        ids = new uint256[](keys.length);
        uint256 count;
        for (uint256 i; i < keys.length; ++i) {
            uint256 id = uint256(keys[i].idOf());
            (, uint256[8] memory slot0) = StaticRead.words(pools, ICLPoolManager.getSlot0.selector, id);
            if (slot0[0] != 0) ids[count++] = id;
        }
        assembly ("memory-safe") {
            mstore(ids, count)
        }
    }

    function _keyOfId(uint256 id) internal pure override returns (uint256) {
        return super._keyOfId(id) | HAS_FORMULA;
    }

    function _poolOf(uint256 key) internal view override returns (uint256 id, address token0, address token1) {
        (bool isKnown, InfinityKey memory poolKey) = _ask(key, manager());
        if (isKnown) id = uint256(poolKey.idOf());
        (token0, token1) = poolKey.tokensOf(wrapped);
    }

    function _sell(uint256 key, address tokenIn, address tokenOut, uint256 amountIn, address to)
        internal
        override
        returns (uint256)
    {
        address pools = manager();
        (bool isKnown, InfinityKey memory poolKey) = _guess(key, pools, tokenIn, tokenOut);
        if (!isKnown) (isKnown, poolKey) = _ask(key, pools);
        (address token0, address token1) = poolKey.tokensOf(wrapped);
        if (!isKnown || !areSold(token0, token1, tokenIn, tokenOut)) revert NotInRegistry(address(0));
        // Infinity counts no more.
        Payments.requireAll(pools, amountIn, amountIn > MAX_INPUT ? 0 : amountIn);
        bytes memory data = abi.encode(Trade(poolKey, tokenIn == token0, amountIn, to));
        return abi.decode(IInfinityVault(ICLPoolManager(pools).vault()).lock(data), (uint256));
    }

    /// @dev A pool of a common tier. Whether it exists, the swap says.
    function _guess(uint256 key, address pools, address tokenIn, address tokenOut)
        private
        view
        returns (bool isKnown, InfinityKey memory poolKey)
    {
        (address token0, address token1) = tokenIn < tokenOut ? (tokenIn, tokenOut) : (tokenOut, tokenIn);
        InfinityKey[] memory keys = InfinityPools.commonKeys(pools, token0, token1, wrapped);
        for (uint256 i; i < keys.length; ++i) {
            if (key == _keyOfId(uint256(keys[i].idOf()))) return (true, keys[i]);
        }
    }

    /// @dev What the registry says of a pool, if that is true and no hooks run in its swaps.
    function _ask(uint256 key, address pools) private view returns (bool isKnown, InfinityKey memory poolKey) {
        uint256[] memory words = positionKey(registry, _idIn(key), KEY_WORDS);
        if (words.length == 0) return (false, poolKey);
        // A key in memory is its words.
        assembly ("memory-safe") {
            poolKey := add(words, 32)
        }
        isKnown = poolKey.poolManager == pools && poolKey.isPlain();
    }

    function _paramsOf(Trade memory trade) private pure returns (ICLPoolManager.SwapParams memory) {
        return ICLPoolManager.SwapParams({
            zeroForOne: trade.zeroForOne,
            amountSpecified: -int256(trade.amountIn),
            sqrtPriceLimitX96: trade.zeroForOne ? Concentrated.LOWEST_LIMIT : Concentrated.HIGHEST_LIMIT
        });
    }
}
