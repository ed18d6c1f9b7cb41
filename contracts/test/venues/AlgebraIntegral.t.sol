// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Tier, VenueConfig} from "../../src/types/Venue.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {IAlgebraPool} from "../../src/venues/Algebra.sol";
import {IAlgebraIntegralPool} from "../../src/venues/AlgebraIntegral.sol";
import {CallbackCases} from "../fixtures/CallbackCases.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {IV3Pool} from "../fixtures/VenuesFixture.sol";
import {KindCases} from "./KindCases.sol";

interface IAlgebraFactory {
    function createPool(address tokenA, address tokenB, bytes calldata data) external returns (address);
    function POOL_INIT_CODE_HASH() external view returns (bytes32);
}

interface IAlgebraPoolActions {
    function setFee(uint16 fee) external;
    function mint(address sender, address recipient, int24 bottom, int24 top, uint128 liquidity, bytes calldata data)
        external
        returns (uint256, uint256, uint128);
}

/// @notice Algebra Integral from its published bytecode.
/// forge-config: default.fuzz.runs = 100
contract AlgebraIntegralTest is CallbackCases {
    string private constant ARTIFACTS = "node_modules/@cryptoalgebra/integral-core/artifacts/contracts/";

    IAlgebraFactory private factory;

    function deployVenue() internal override returns (VenueConfig memory config) {
        // Factory and deployer want each other's address.
        address deployer = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        factory = IAlgebraFactory(
            deployCode(string.concat(ARTIFACTS, "AlgebraFactory.sol/AlgebraFactory.json"), abi.encode(deployer))
        );
        deployCode(string.concat(ARTIFACTS, "AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json"), abi.encode(factory));
        bytes32 initCodeHash = keccak256(vm.getCode(string.concat(ARTIFACTS, "AlgebraPool.sol/AlgebraPool.json")));
        assertEq(initCodeHash, factory.POOL_INIT_CODE_HASH());
        config = v3Config(
            "algebra", address(factory), initCodeHash, bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)"))
        );
        config.venue.kind = VenueKinds.ALGEBRA;
        config.venue.deployer = deployer;
        config.venue.unlockedWord = 5;
        config.tiers = new Tier[](1);
    }

    function open(address token0, address token1, uint160 sqrtPriceX96) internal override returns (address created) {
        created = factory.createPool(token0, token1, "");
        IV3Pool(created).initialize(sqrtPriceX96);
    }

    function addLiquidity(int24 lower, int24 upper, uint128 liquidity) internal override {
        IAlgebraPoolActions(pool).mint(address(this), address(this), lower, upper, liquidity, "");
    }

    function tierIndex() internal pure override returns (uint256) {
        return 0;
    }

    function testFuzz_quote_followsTheFee(uint16 fee, uint256 amountIn) public {
        _openAt(0);
        addLiquidity(-3000, 3000, 1e18);
        IAlgebraPoolActions(pool).setFee(fee % 50_000);
        _assertPays(true, bound(amountIn, 1, 1e17));
        _assertPays(false, bound(amountIn, 1, 1e17));
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract AlgebraKindTest is KindCases {
    string private constant ARTIFACTS = "node_modules/@cryptoalgebra/integral-core/artifacts/contracts/";

    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.ALGEBRA;
    }

    function deployKind() internal override returns (uint16 number_, address pool_, uint256) {
        address deployer = vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1);
        IAlgebraFactory factory = IAlgebraFactory(
            deployCode(string.concat(ARTIFACTS, "AlgebraFactory.sol/AlgebraFactory.json"), abi.encode(deployer))
        );
        deployCode(string.concat(ARTIFACTS, "AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json"), abi.encode(factory));
        bytes4 callback = bytes4(keccak256("algebraSwapCallback(int256,int256,bytes)"));
        VenueConfig memory config = v3Config("algebra", address(factory), factory.POOL_INIT_CODE_HASH(), callback);
        (config.venue.kind, config.venue.deployer) = (VenueKinds.ALGEBRA, deployer);
        config.venue.unlockedWord = 5;
        config.tiers = new Tier[](1);
        number_ = addVenue(config);
        (uint160 price, int24 tick) = evenPrice();
        pool_ = factory.createPool(address(usdc), address(dai), "");
        IV3Pool(pool_).initialize(price);
        tick = tick / 60 * 60;
        IAlgebraPoolActions(pool_).mint(address(this), address(this), tick - 960, tick + 960, 1e21, "");
        return (number_, pool_, 0);
    }

    function algebraMintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
        PlainToken(IV3Pool(msg.sender).token0()).mint(msg.sender, amount0);
        PlainToken(IV3Pool(msg.sender).token1()).mint(msg.sender, amount1);
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](5));
        selectors[0] = IAlgebraIntegralPool.safelyGetStateOfAMM.selector;
        selectors[1] = IAlgebraIntegralPool.fee.selector;
        selectors[2] = IAlgebraPool.tickTable.selector;
        selectors[3] = IAlgebraIntegralPool.ticks.selector;
        selectors[4] = IAlgebraPool.totalFeeGrowth0Token.selector;
    }
}
