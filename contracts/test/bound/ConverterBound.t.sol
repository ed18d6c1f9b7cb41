// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {ConvertersFixture} from "../fixtures/ConvertersFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {UpperBoundCases} from "./UpperBound.t.sol";

/// forge-config: default.fuzz.runs = 40
/// @notice The same on markets with a PSM of USDC and DAI, and a vault of USDC whose share has pools of its own.
contract ConverterBoundTest is UpperBoundCases, ConvertersFixture {
    uint256 private constant SHARE_INDEX = 5;
    uint256 private constant SHARE_MICRO_DOLLARS = 1_073_100;

    function setUp() public override {
        super.setUp();
        deployConverters();
        tokens.push(PlainToken(address(vaultOfUsdc)));
        microDollars.push(SHARE_MICRO_DOLLARS);
    }

    /// @dev The PSM charges what the seed says, up to 6.6 basis points.
    function seedRoutings(uint256 seed) internal override {
        super.seedRoutings(seed);
        address share = address(vaultOfUsdc);
        uint256 shareKey = share < address(usdc) ? adapterKey(share, 1, 0) : adapterKey(share, 0, 1);
        _add(vaults, address(vaultAdapter), shareKey, USDC_INDEX, SHARE_INDEX);
        uint256 random = uint256(keccak256(abi.encode(seed, "psm")));
        psm.setFees((random & 0xffff) * 1e10, (random >> 16 & 0xffff) * 1e10);
        uint256 psmKey = usdc < dai ? adapterKey(address(psm), 0, 1) : adapterKey(address(psm), 1, 0);
        _add(psms, address(psmAdapter), psmKey, USDC_INDEX, DAI_INDEX);
    }
}
