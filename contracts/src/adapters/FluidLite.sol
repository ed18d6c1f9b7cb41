// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ask} from "../libraries/Answers.sol";

/// @notice Identifies a pool of Fluid DEX Lite.
struct FluidKey {
    /// The token with the lower address; `FluidLite.NATIVE` for the native currency.
    address token0;
    address token1;
    bytes32 salt;
}

/// @notice The part of Fluid DEX Lite that the adapter calls.
interface IFluidDexLite {
    /// @dev The word in a slot of its storage.
    function readFromStorage(bytes32 slot) external view returns (uint256);

    /// @param amount The input if positive, the output if negative.
    /// @param limit The minimum output, or the maximum input.
    /// @param isCallback Whether Fluid calls `dexCallback` of its caller for the input, instead of using an allowance.
    /// @return The output, or the input if the output was given.
    function swapSingle(
        FluidKey calldata key,
        bool swap0To1,
        int256 amount,
        uint256 limit,
        address to,
        bool isCallback,
        bytes calldata callbackData,
        bytes calldata extraData
    ) external payable returns (uint256);
}

/// @title Reads the storage of Fluid DEX Lite
/// @notice One contract keeps all pools and their tokens. Its owner creates the pools, and each is appended to a list.
library FluidLite {
    /// @dev Stands for the native currency. No contract is there.
    address internal constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    /* STORAGE */
    uint256 private constant LIST_SLOT = 1;
    uint256 private constant VARIABLES_SLOT = 2;
    uint256 private constant PRICE_SHIFT_SLOT = 3;
    uint256 private constant RANGE_SHIFT_SLOT = 4;
    uint256 private constant KEY_SLOTS = 3;

    /// @dev Most gas of reading one slot.
    uint256 private constant LOAD_GAS = 20_000;
    /// @dev Most places of the list that a search looks at.
    uint256 private constant MAX_PLACES = 64;

    /// @notice The key at a place of the list, counted from zero; all zeros beyond the end of the list.
    function keyAt(address dex, uint256 place) internal view returns (FluidKey memory key) {
        uint256 slot = uint256(keccak256(abi.encode(LIST_SLOT))) + KEY_SLOTS * place;
        key.token0 = address(uint160(_load(dex, slot)));
        if (key.token0 == address(0)) return key;
        (key.token1, key.salt) = (address(uint160(_load(dex, slot + 1))), bytes32(_load(dex, slot + 2)));
    }

    /// @notice Searches the list for the pool of two currencies whose salt is zero.
    /// @return isFound False if there is no such pool among the first `MAX_PLACES`.
    /// @return place Its place in the list, counted from zero.
    function placeOf(address dex, address tokenA, address tokenB) internal view returns (bool isFound, uint256 place) {
        FluidKey memory key = tokenA < tokenB ? FluidKey(tokenA, tokenB, 0) : FluidKey(tokenB, tokenA, 0);
        (uint256 variables,,) = stateOf(dex, key, false);
        if (variables == 0) return (false, 0);
        uint256 slot = uint256(keccak256(abi.encode(LIST_SLOT)));
        uint256 length = _load(dex, LIST_SLOT);
        for (; place < length && place < MAX_PLACES; ++place) {
            if (_load(dex, slot + KEY_SLOTS * place) != uint160(key.token0)) continue;
            if (_load(dex, slot + KEY_SLOTS * place + 1) != uint160(key.token1)) continue;
            if (_load(dex, slot + KEY_SLOTS * place + 2) == 0) return (true, place);
        }
    }

    /// @notice The stored words of a pool, which `FluidLitePrices.poolOf` decodes. All zero if there is no such pool.
    /// @param withShifts Whether to read `priceShift` and `rangeShift`; both are zero otherwise.
    /// @return variables The pool's fee, center price, range and supplies.
    /// @return priceShift How its center price moves.
    /// @return rangeShift How its range moves.
    function stateOf(address dex, FluidKey memory key, bool withShifts)
        internal
        view
        returns (uint256 variables, uint256 priceShift, uint256 rangeShift)
    {
        bytes32 id = bytes8(keccak256(abi.encode(key)));
        variables = _load(dex, uint256(keccak256(abi.encode(id, VARIABLES_SLOT))));
        if (!withShifts || variables == 0) return (variables, 0, 0);
        priceShift = _load(dex, uint256(keccak256(abi.encode(id, PRICE_SHIFT_SLOT))));
        rangeShift = _load(dex, uint256(keccak256(abi.encode(id, RANGE_SHIFT_SLOT))));
    }

    /// @notice The two tokens, with the wrapped native token in place of the native currency.
    function tokensOf(FluidKey memory key, address wrapped) internal pure returns (address token0, address token1) {
        token0 = key.token0 == NATIVE ? wrapped : key.token0;
        token1 = key.token1 == NATIVE ? wrapped : key.token1;
    }

    function _load(address dex, uint256 slot) private view returns (uint256) {
        bytes memory call = abi.encodeCall(IFluidDexLite.readFromStorage, (bytes32(slot)));
        uint256[] memory answer = ask(dex, LOAD_GAS, 1, call);
        return answer.length == 0 ? 0 : answer[0];
    }
}
