// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DaiUsdsAdapter, IDaiUsds} from "../../src/adapters/DaiUsdsAdapter.sol";
import {ILitePsm, LitePsmAdapter} from "../../src/adapters/LitePsmAdapter.sol";
import {IPsm3, Psm3Adapter} from "../../src/adapters/Psm3Adapter.sol";
import {DevDaiUsds} from "../../src/devnet/DevDaiUsds.sol";
import {DevLitePsm} from "../../src/devnet/DevLitePsm.sol";
import {TestPsm3} from "../fixtures/Psm3.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {ConverterCases} from "./ConverterCases.sol";

/// forge-config: default.fuzz.runs = 100
contract DaiUsdsTest is ConverterCases {
    function _deploy() internal override returns (address, address) {
        (PlainToken dai, PlainToken usds) = (new PlainToken("DAI", 18), new PlainToken("USDS", 18));
        pool = address(new DevDaiUsds(address(dai), address(usds)));
        adapter = new DaiUsdsAdapter(pool, address(0));
        dai.mint(pool, RESERVE * 1e18);
        usds.mint(pool, RESERVE * 1e18);
        return (address(dai), address(usds));
    }

    function _change(uint256) internal override {}

    function _calledFunctions() internal pure override returns (bytes4[] memory selectors) {
        selectors = new bytes4[](4);
        (selectors[0], selectors[1]) = (IDaiUsds.dai.selector, IDaiUsds.usds.selector);
        (selectors[2], selectors[3]) = (IDaiUsds.daiToUsds.selector, IDaiUsds.usdsToDai.selector);
    }
}

/// forge-config: default.fuzz.runs = 100
contract LitePsmTest is ConverterCases {
    PlainToken private usdc;
    PlainToken private dai;

    function _deploy() internal override returns (address, address) {
        (usdc, dai) = (new PlainToken("USDC", 6), new PlainToken("DAI", 18));
        DevLitePsm psm = new DevLitePsm(address(usdc), address(dai));
        pool = address(psm);
        adapter = new LitePsmAdapter(pool, address(0));
        usdc.mint(psm.pocket(), RESERVE * 1e6);
        dai.mint(pool, RESERVE * 1e18);
        return (address(usdc), address(dai));
    }

    /// @dev Fees of up to a tenth, or none.
    function _change(uint256 seed) internal override {
        uint256 most = 1e17 >> (seed & 31);
        DevLitePsm(pool).setFees((seed >> 8) % (most + 1), (seed >> 128) % (most + 1));
    }

    function _calledFunctions() internal pure override returns (bytes4[] memory selectors) {
        selectors = new bytes4[](8);
        (selectors[0], selectors[1]) = (ILitePsm.gem.selector, ILitePsm.dai.selector);
        (selectors[2], selectors[3]) = (ILitePsm.pocket.selector, ILitePsm.to18ConversionFactor.selector);
        (selectors[4], selectors[5]) = (ILitePsm.tin.selector, ILitePsm.tout.selector);
        (selectors[6], selectors[7]) = (ILitePsm.sellGem.selector, ILitePsm.buyGem.selector);
    }

    /// @dev It buys whole units, as many as can be paid for.
    function testFuzz_quote_buysAsManyGemsAsItCan(uint256 seed, uint256 amountIn) public {
        _change(seed);
        bool buys = dai < usdc;
        amountIn = bound(amountIn, 1e12, 1e26);
        uint256 gems = _quote(buys, amountIn);
        uint256 tout = DevLitePsm(pool).tout();
        assertLe(gems * 1e12 + gems * 1e12 * tout / 1e18, amountIn);
        assertGt((gems + 1) * 1e12 + (gems + 1) * 1e12 * tout / 1e18, amountIn);
    }

    function test_read_hasNoHaltedDirection() public {
        DevLitePsm(pool).setFees(type(uint256).max, 0);
        bool sells = usdc < dai;
        assertEq(_draw(sells).segments.length, 0);
        assertEq(_quote(sells, 1e6), 0);
        assertEq(_draw(!sells).segments.length, 5);
        DevLitePsm(pool).setFees(0, type(uint256).max);
        assertEq(_draw(sells).segments.length, 5);
        assertEq(_draw(!sells).segments.length, 0);
        DevLitePsm(pool).setFees(type(uint256).max, type(uint256).max);
        assertEq(_read().length, 0);
    }

    function test_read_hasTheLimitsOfWhatThePsmHolds() public view {
        bool sells = usdc < dai;
        assertEq(_draw(sells).segments[3], RESERVE * 1e6);
        // Less than another unit of USDC costs.
        assertApproxEqAbs(_draw(!sells).segments[3], RESERVE * 1e18, 1e12 - 1);
    }
}

/// @notice Each two of the three tokens of the PSM.
abstract contract Psm3Cases is ConverterCases {
    PlainToken internal usdc;
    PlainToken internal usds;
    PlainToken internal susds;

    function _pair() internal view virtual returns (PlainToken, PlainToken);

    function _deploy() internal override returns (address, address) {
        (usdc, usds, susds) = (new PlainToken("USDC", 6), new PlainToken("USDS", 18), new PlainToken("sUSDS", 18));
        address pocket = makeAddr("pocket");
        pool = address(new TestPsm3(address(usdc), address(usds), address(susds), pocket));
        adapter = new Psm3Adapter(pool, address(0));
        vm.prank(pocket);
        usdc.approve(pool, type(uint256).max);
        usdc.mint(pocket, RESERVE * 1e6);
        usds.mint(pool, RESERVE * 1e18);
        susds.mint(pool, RESERVE * 1e18);
        (PlainToken tokenA, PlainToken tokenB) = _pair();
        return (address(tokenA), address(tokenB));
    }

    /// @dev Between one and two, as it rises with time.
    function _change(uint256 seed) internal override {
        TestPsm3(pool).setRate(bound(seed, 1e27, 2e27));
    }

    function _calledFunctions() internal pure override returns (bytes4[] memory selectors) {
        selectors = new bytes4[](6);
        (selectors[0], selectors[1]) = (IPsm3.usdc.selector, IPsm3.usds.selector);
        (selectors[2], selectors[3]) = (IPsm3.susds.selector, IPsm3.pocket.selector);
        (selectors[4], selectors[5]) = (IPsm3.previewSwapExactIn.selector, IPsm3.swapExactIn.selector);
    }
}

/// forge-config: default.fuzz.runs = 100
contract Psm3UsdcUsdsTest is Psm3Cases {
    function _pair() internal view override returns (PlainToken, PlainToken) {
        return (usdc, usds);
    }
}

/// forge-config: default.fuzz.runs = 100
contract Psm3UsdcSusdsTest is Psm3Cases {
    function _pair() internal view override returns (PlainToken, PlainToken) {
        return (usdc, susds);
    }
}

/// forge-config: default.fuzz.runs = 100
contract Psm3UsdsSusdsTest is Psm3Cases {
    function _pair() internal view override returns (PlainToken, PlainToken) {
        return (usds, susds);
    }
}
