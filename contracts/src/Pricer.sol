// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPricer} from "./interfaces/IPricer.sol";
import {dataPrice as dataPriceHere} from "./libraries/DataPrice.sol";
import {Words} from "./libraries/Words.sol";
import {PriceFloor} from "./math/PriceFloor.sol";
import {TokenGas, tokenGas as tokenGasOf} from "./math/TokenGas.sol";
import {CurveWords} from "./solver/CurveWords.sol";
import {PoolWords} from "./solver/PoolWords.sol";
import {Curve, Pool} from "./types/Market.sol";
import {UnknownVenueKind, VenueKind, VenueKinds} from "./types/VenueKind.sol";
import {AlgebraReader} from "./venues/AlgebraReader.sol";
import {Venues} from "./venues/Venues.sol";

/// @title Draws the pools' curves further and prices legs exactly
contract Pricer is IPricer {
    /// @inheritdoc IPricer
    function read(VenueKind kind, address, address pool, uint256 lock) external view returns (uint256[] memory) {
        if (kind != VenueKinds.ALGEBRA) revert UnknownVenueKind(kind);
        return AlgebraReader.read(pool, lock);
    }

    /// @inheritdoc IPricer
    function tokenGas(address token) external view returns (uint256 once, uint256 call) {
        TokenGas memory gas = tokenGasOf(token);
        return (gas.once, gas.call);
    }

    /// @inheritdoc IPricer
    function dataPrice() external view returns (uint256) {
        return dataPriceHere();
    }

    /// @inheritdoc IPricer
    function extend(uint256[] calldata pool, bool zeroForOne, uint256[] calldata curve, uint256 ranges)
        external
        returns (uint256[] memory)
    {
        Curve memory longer;
        CurveWords.unpack(curve, 0, longer);
        Venues.extend(PoolWords.unpack(pool), zeroForOne, longer, ranges);
        Words.giveBack(CurveWords.pack(longer, 0));
    }

    /// @inheritdoc IPricer
    function afterSwap(uint256[] calldata pool, bool zeroForOne, uint256 amountIn, uint256 key)
        external
        returns (uint256[] memory none)
    {
        Pool memory moved = PoolWords.unpack(pool);
        if (!moved.venue.kind().isSampled() || moved.words.length == 0) return none;
        uint256 own = moved.words[0];
        moved.words[0] = key;
        (uint256 amountOut,) = Venues.quote(moved, zeroForOne, amountIn);
        moved.words = Venues.afterSwap(moved, zeroForOne, amountIn, amountOut);
        if (amountOut == 0 || moved.words.length == 0) return none;
        moved.words[0] = own;
        Words.giveBack(PoolWords.pack(moved));
    }

    /// @inheritdoc IPricer
    function quote(uint256[] calldata pool, bool zeroForOne, uint256 amountIn)
        external
        returns (uint256 amountOut, uint256 gas, uint256 priceFloor)
    {
        Pool memory unpacked = PoolWords.unpack(pool);
        (amountOut, gas) = Venues.quote(unpacked, zeroForOne, amountIn);
        bool hasFloor = unpacked.venue.kind().isAttested() && PriceFloor.isFor(unpacked.tier.key);
        if (hasFloor && amountOut != 0) priceFloor = PriceFloor.inKey(amountIn, amountOut);
    }
}
