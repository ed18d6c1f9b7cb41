// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PoolCalls} from "../../src/libraries/PoolCalls.sol";
import {ICallbackPool} from "../../src/venues/CallbackPools.sol";
import {IUniswapV2Pair} from "../../src/venues/UniswapV2.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {BalanceDelta, toBalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {Test} from "forge-std/Test.sol";
import {LibCall} from "solady/utils/LibCall.sol";

/// @notice Keeps what it was called with, and answers what it was told to.
contract Recorder {
    bytes public heard;
    bytes private _answer;
    bool private _reverts;

    function prepare(bytes calldata answer, bool reverts) external {
        (_answer, _reverts) = (answer, reverts);
    }

    receive() external payable {}

    fallback(bytes calldata) external payable returns (bytes memory) {
        heard = abi.encode(msg.data, msg.value);
        bytes memory answer = _answer;
        if (!_reverts) return answer;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}

/// @notice The calls written out, and the same as the compiler makes them.
contract Callers {
    function pair(address target, uint256 out0, uint256 out1, address to) external {
        PoolCalls.swapPair(target, out0, out1, to);
    }

    function pairPlain(address target, uint256 out0, uint256 out1, address to) external {
        IUniswapV2Pair(target).swap(out0, out1, to, "");
    }

    function pool(address target, address to, bool zeroForOne, int256 amount, uint160 limit)
        external
        returns (int256, int256)
    {
        return PoolCalls.swapPool(target, to, zeroForOne, amount, limit);
    }

    function poolPlain(address target, address to, bool zeroForOne, int256 amount, uint160 limit)
        external
        returns (int256, int256)
    {
        return ICallbackPool(target).swap(to, zeroForOne, amount, limit, "");
    }

    function manager(address target, PoolKey memory key, SwapParams memory params) external returns (int128, int128) {
        return PoolCalls.swapManager(target, key, params.zeroForOne, params.amountSpecified, params.sqrtPriceLimitX96);
    }

    function managerPlain(address target, PoolKey memory key, SwapParams memory params)
        external
        returns (int128, int128)
    {
        BalanceDelta delta = IPoolManager(target).swap(key, params, "");
        return (delta.amount0(), delta.amount1());
    }
}

/// @notice The calls of a PoolManager that is running, written out and as the compiler makes them.
contract ManagerCallers {
    constructor() payable {}

    function unlock(address target, uint256[4] calldata words) external returns (uint256) {
        return PoolCalls.unlock(target, words[0], words[1], words[2], words[3]);
    }

    function unlockPlain(address target, uint256[4] calldata words) external returns (uint256 word) {
        (bool ok, bytes memory answer) = target.call(abi.encodeCall(IPoolManager.unlock, (abi.encode(words))));
        if (!ok) LibCall.bubbleUpRevert(answer);
        (,, word) = abi.decode(answer, (uint256, uint256, uint256));
    }

    function sync(address target, address currency) external {
        PoolCalls.sync(target, currency);
    }

    function syncPlain(address target, address currency) external {
        IPoolManager(target).sync(Currency.wrap(currency));
    }

    function settle(address target, uint256 value) external {
        PoolCalls.settle(target, value);
    }

    function settlePlain(address target, uint256 value) external {
        (bool ok, bytes memory answer) = target.call{value: value}(abi.encodeCall(IPoolManager.settle, ()));
        if (!ok) LibCall.bubbleUpRevert(answer);
    }

    function take(address target, address currency, address to, uint256 amount) external {
        PoolCalls.take(target, currency, to, amount);
    }

    function takePlain(address target, address currency, address to, uint256 amount) external {
        IPoolManager(target).take(Currency.wrap(currency), to, amount);
    }
}

/// @notice Each call that is written out sends the same bytes, returns the same numbers and fails alike.
contract PoolCallsTest is Test {
    Recorder private recorder = new Recorder();
    Callers private callers = new Callers();
    ManagerCallers private managerCallers = new ManagerCallers{value: 1000 ether}();

    function testFuzz_swapPair_isWhatTheCompilerMakes(
        uint256 out0,
        uint256 out1,
        address to,
        bytes calldata answer,
        bool reverts
    ) public {
        recorder.prepare(answer, reverts);
        _assertSame(
            abi.encodeCall(Callers.pair, (address(recorder), out0, out1, to)),
            abi.encodeCall(Callers.pairPlain, (address(recorder), out0, out1, to))
        );
    }

    function testFuzz_swapPool_isWhatTheCompilerMakes(
        address to,
        bool zeroForOne,
        int256 amount,
        uint160 limit,
        bytes calldata answer,
        bool reverts
    ) public {
        recorder.prepare(answer, reverts);
        _assertSame(
            abi.encodeCall(Callers.pool, (address(recorder), to, zeroForOne, amount, limit)),
            abi.encodeCall(Callers.poolPlain, (address(recorder), to, zeroForOne, amount, limit))
        );
    }

    function testFuzz_swapPool_returnsBothNumbers(int256 amount0, int256 amount1) public {
        recorder.prepare(abi.encode(amount0, amount1), false);
        (int256 first, int256 second) = callers.pool(address(recorder), address(1), true, 1, 1);
        assertEq(first, amount0);
        assertEq(second, amount1);
    }

    function testFuzz_swapManager_isWhatTheCompilerMakes(
        PoolKey memory key,
        SwapParams memory params,
        bytes calldata answer,
        bool reverts
    ) public {
        recorder.prepare(answer, reverts);
        _assertSame(
            abi.encodeCall(Callers.manager, (address(recorder), key, params)),
            abi.encodeCall(Callers.managerPlain, (address(recorder), key, params))
        );
    }

    function testFuzz_swapManager_returnsBothNumbers(PoolKey memory key, int128 amount0, int128 amount1) public {
        recorder.prepare(abi.encode(toBalanceDelta(amount0, amount1)), false);
        (int128 first, int128 second) = callers.manager(address(recorder), key, SwapParams(true, 1, 1));
        assertEq(first, amount0);
        assertEq(second, amount1);
    }

    function testFuzz_unlock_isWhatTheCompilerMakes(uint256[4] calldata words, bytes calldata answer, bool reverts)
        public
    {
        recorder.prepare(answer, reverts);
        _assertSameOfManager(
            abi.encodeCall(ManagerCallers.unlock, (address(recorder), words)),
            abi.encodeCall(ManagerCallers.unlockPlain, (address(recorder), words))
        );
    }

    function testFuzz_unlock_returnsTheWordInTheBytes(uint256[4] calldata words, uint256 word) public {
        recorder.prepare(abi.encode(abi.encode(word)), false);
        assertEq(managerCallers.unlock(address(recorder), words), word);
    }

    function testFuzz_sync_isWhatTheCompilerMakes(address currency, bytes calldata answer, bool reverts) public {
        recorder.prepare(answer, reverts);
        _assertSameOfManager(
            abi.encodeCall(ManagerCallers.sync, (address(recorder), currency)),
            abi.encodeCall(ManagerCallers.syncPlain, (address(recorder), currency))
        );
    }

    function testFuzz_settle_isWhatTheCompilerMakes(uint256 value, bytes calldata answer, bool reverts) public {
        value = bound(value, 0, 400 ether);
        recorder.prepare(answer, reverts);
        _assertSameOfManager(
            abi.encodeCall(ManagerCallers.settle, (address(recorder), value)),
            abi.encodeCall(ManagerCallers.settlePlain, (address(recorder), value))
        );
    }

    function testFuzz_take_isWhatTheCompilerMakes(
        address currency,
        address to,
        uint256 amount,
        bytes calldata answer,
        bool reverts
    ) public {
        recorder.prepare(answer, reverts);
        _assertSameOfManager(
            abi.encodeCall(ManagerCallers.take, (address(recorder), currency, to, amount)),
            abi.encodeCall(ManagerCallers.takePlain, (address(recorder), currency, to, amount))
        );
    }

    function test_swapPool_revertsIf_thereIsNoPool() public {
        vm.expectRevert();
        callers.pool(address(0xdead), address(1), true, 1, 1);
        vm.expectRevert();
        callers.manager(address(0xdead), abi.decode(new bytes(160), (PoolKey)), SwapParams(true, 1, 1));
    }

    function _assertSame(bytes memory written, bytes memory plain) private {
        _assertSame(address(callers), written, plain);
    }

    function _assertSameOfManager(bytes memory written, bytes memory plain) private {
        _assertSame(address(managerCallers), written, plain);
    }

    function _assertSame(address from, bytes memory written, bytes memory plain) private {
        (bool ok, bytes memory result) = from.call(written);
        bytes memory heard = recorder.heard();
        (bool plainOk, bytes memory plainResult) = from.call(plain);
        assertEq(ok, plainOk);
        assertEq(result, plainResult);
        assertEq(heard, recorder.heard());
        if (ok) assertGt(heard.length, 0);
    }
}
