// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICLPoolManager, InfinityKey} from "../adapters/InfinityPools.sol";
import {DevToken} from "./DevToken.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {StateLibrary} from "@uniswap/v4-core/src/libraries/StateLibrary.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

interface ILockCallback {
    function lockAcquired(bytes calldata data) external returns (bytes memory);
}

/// @title Vault of PancakeSwap Infinity on the devnet
/// @notice Written from the published interface. Counts what who owes within a lock, and what each app has.
contract DevInfinityVault {
    error LockerAlreadySet(address locker);
    error NoLocker();
    error CurrencyNotSettled();

    mapping(address app => mapping(address currency => uint256)) public reservesOfApp;
    address public transient getLocker;
    uint256 public transient getUnsettledDeltasCount;
    address private transient _synced;
    uint256 private transient _before;

    modifier locked() {
        if (getLocker == address(0)) revert NoLocker();
        _;
    }

    function lock(bytes calldata data) external returns (bytes memory result) {
        if (getLocker != address(0)) revert LockerAlreadySet(getLocker);
        getLocker = msg.sender;
        result = ILockCallback(msg.sender).lockAcquired(data);
        if (getUnsettledDeltasCount != 0) revert CurrencyNotSettled();
        getLocker = address(0);
    }

    function accountApp(address currency, int256 delta, address settler) external locked {
        if (delta > 0) reservesOfApp[msg.sender][currency] -= uint256(delta);
        else reservesOfApp[msg.sender][currency] += uint256(-delta);
        _account(settler, currency, delta);
    }

    function sync(address currency) external {
        _synced = currency;
        _before = currency == address(0) ? 0 : IERC20(currency).balanceOf(address(this));
    }

    function settle() external payable locked returns (uint256 paid) {
        address currency = _synced;
        paid = msg.value;
        if (currency != address(0)) {
            require(msg.value == 0);
            paid = IERC20(currency).balanceOf(address(this)) - _before;
            _synced = address(0);
        }
        _account(msg.sender, currency, int256(paid));
    }

    function take(address currency, address to, uint256 amount) external locked {
        _account(msg.sender, currency, -int256(amount));
        if (currency != address(0)) {
            SafeTransferLib.safeTransfer(currency, to, amount);
            return;
        }
        (bool ok,) = to.call{value: amount}("");
        require(ok);
    }

    /// @notice What the Vault owes somebody in this lock; negative if it is owed.
    function currencyDelta(address settler, address currency) public view returns (int256 delta) {
        bytes32 slot = _slotOf(settler, currency);
        assembly ("memory-safe") {
            delta := tload(slot)
        }
    }

    function _account(address settler, address currency, int256 delta) private {
        if (delta == 0) return;
        int256 before = currencyDelta(settler, currency);
        int256 sum = before + delta;
        bytes32 slot = _slotOf(settler, currency);
        assembly ("memory-safe") {
            tstore(slot, sum)
        }
        if (sum == 0) --getUnsettledDeltasCount;
        else if (before == 0) ++getUnsettledDeltasCount;
    }

    function _slotOf(address settler, address currency) private pure returns (bytes32) {
        return keccak256(abi.encode(settler, currency));
    }
}

/// @title CLPoolManager of PancakeSwap Infinity on the devnet
/// @notice Written from the published interface. Its mathematics is that of Uniswap V4, whose published bytecode computes here. There each
/// pool has two tokens of its own, which stand for the two currencies. This contract has as many of them as anybody could trade.
contract DevClPoolManager {
    using StateLibrary for IPoolManager;

    enum Action {
        Fund,
        AddLiquidity,
        Swap
    }

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        address hooks,
        uint24 fee,
        bytes32 parameters,
        uint160 sqrtPriceX96,
        int24 tick
    );

    error PoolNotInitialized();
    error EnforcedPause();

    uint256 private constant FUNDS = 1 << 126;
    IPoolManager private immutable ENGINE;
    DevInfinityVault public immutable vault;
    bool public paused;
    mapping(bytes32 id => PoolKey) private _engineKeys;

    constructor(IPoolManager engine, DevInfinityVault vault_) {
        (ENGINE, vault) = (engine, vault_);
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function initialize(InfinityKey calldata key, uint160 sqrtPriceX96) external returns (int24 tick) {
        require(key.poolManager == address(this) && key.currency0 < key.currency1);
        (DevToken low, DevToken high) = (new DevToken(), new DevToken());
        if (low > high) (low, high) = (high, low);
        PoolKey storage made = _engineKeys[_idOf(key)];
        require(made.tickSpacing == 0);
        (made.currency0, made.currency1) = (Currency.wrap(address(low)), Currency.wrap(address(high)));
        (made.fee, made.tickSpacing) = (key.fee, int24(uint24(uint256(key.parameters) >> 16)));
        tick = ENGINE.initialize(made, sqrtPriceX96);
        ENGINE.unlock(abi.encode(made, Action.Fund, ""));
        emit Initialize(
            _idOf(key), key.currency0, key.currency1, key.hooks, key.fee, key.parameters, sqrtPriceX96, tick
        );
    }

    /// @dev The engine is deployed with this contract as what sets fees.
    function setProtocolFee(InfinityKey calldata key, uint24 fee) external {
        ENGINE.setProtocolFee(_engineKeys[_idOf(key)], fee);
    }

    function modifyLiquidity(InfinityKey calldata key, ModifyLiquidityParams calldata params, bytes calldata) external {
        _account(key, _run(key, Action.AddLiquidity, abi.encode(params)));
    }

    function swap(InfinityKey calldata key, ICLPoolManager.SwapParams calldata params, bytes calldata)
        external
        returns (BalanceDelta delta)
    {
        if (paused) revert EnforcedPause();
        delta = _run(key, Action.Swap, abi.encode(params));
        _account(key, delta);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory key, Action action, bytes memory params) = abi.decode(data, (PoolKey, Action, bytes));
        if (action == Action.Fund) {
            _fund(key.currency0);
            _fund(key.currency1);
            return "";
        }
        BalanceDelta delta;
        if (action == Action.Swap) delta = ENGINE.swap(key, abi.decode(params, (SwapParams)), "");
        else (delta,) = ENGINE.modifyLiquidity(key, abi.decode(params, (ModifyLiquidityParams)), "");
        _clear(key.currency0, delta.amount0());
        _clear(key.currency1, delta.amount1());
        return abi.encode(delta);
    }

    /* READS */

    function getSlot0(bytes32 id) external view returns (uint160, int24, uint24, uint24) {
        return ENGINE.getSlot0(_engineId(id));
    }

    function getLiquidity(bytes32 id) external view returns (uint128) {
        return ENGINE.getLiquidity(_engineId(id));
    }

    function getPoolBitmapInfo(bytes32 id, int16 word) external view returns (uint256) {
        return ENGINE.getTickBitmap(_engineId(id), word);
    }

    function getPoolTickInfo(bytes32 id, int24 tick) external view returns (uint128, int128, uint256, uint256) {
        return ENGINE.getTickInfo(_engineId(id), tick);
    }

    function getFeeGrowthGlobals(bytes32 id) external view returns (uint256, uint256) {
        return ENGINE.getFeeGrowthGlobals(_engineId(id));
    }

    function _run(InfinityKey calldata key, Action action, bytes memory params) private returns (BalanceDelta) {
        PoolKey memory made = _engineKeys[_idOf(key)];
        if (made.tickSpacing == 0) revert PoolNotInitialized();
        return abi.decode(ENGINE.unlock(abi.encode(made, action, params)), (BalanceDelta));
    }

    function _account(InfinityKey calldata key, BalanceDelta delta) private {
        vault.accountApp(key.currency0, delta.amount0(), msg.sender);
        vault.accountApp(key.currency1, delta.amount1(), msg.sender);
    }

    /// @dev What the engine owes or is owed are claims there, which cost less gas than transfers of its tokens.
    function _clear(Currency currency, int128 delta) private {
        if (delta > 0) ENGINE.mint(address(this), currency.toId(), uint128(delta));
        else if (delta < 0) ENGINE.burn(address(this), currency.toId(), uint128(-delta));
    }

    function _fund(Currency currency) private {
        ENGINE.sync(currency);
        DevToken(Currency.unwrap(currency)).mint(address(ENGINE), FUNDS);
        ENGINE.settle();
        ENGINE.mint(address(this), currency.toId(), FUNDS);
    }

    function _engineId(bytes32 id) private view returns (PoolId) {
        return PoolId.wrap(keccak256(abi.encode(_engineKeys[id])));
    }

    function _idOf(InfinityKey calldata key) private pure returns (bytes32) {
        return keccak256(abi.encode(key));
    }
}

/// @title CLPositionManager of PancakeSwap Infinity on the devnet
/// @notice As far as others read it. Mints what its positions cost, and pays native coin from what it has.
contract DevClPositionManager {
    DevClPoolManager public immutable clPoolManager;
    mapping(bytes25 id => InfinityKey) public poolKeys;

    constructor(DevClPoolManager manager) {
        clPoolManager = manager;
    }

    receive() external payable {}

    function add(InfinityKey calldata key, int24 lower, int24 upper, uint256 liquidity) external {
        poolKeys[bytes25(keccak256(abi.encode(key)))] = key;
        ModifyLiquidityParams memory params =
            ModifyLiquidityParams({tickLower: lower, tickUpper: upper, liquidityDelta: int256(liquidity), salt: 0});
        clPoolManager.vault().lock(abi.encode(key, params));
    }

    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        (InfinityKey memory key, ModifyLiquidityParams memory params) =
            abi.decode(data, (InfinityKey, ModifyLiquidityParams));
        clPoolManager.modifyLiquidity(key, params, "");
        _pay(key.currency0);
        _pay(key.currency1);
        return "";
    }

    function _pay(address currency) private {
        DevInfinityVault vault = clPoolManager.vault();
        int256 delta = vault.currencyDelta(address(this), currency);
        if (delta >= 0) return;
        vault.sync(currency);
        if (currency == address(0)) {
            vault.settle{value: uint256(-delta)}();
        } else {
            DevToken(currency).mint(address(vault), uint256(-delta));
            vault.settle();
        }
    }
}
