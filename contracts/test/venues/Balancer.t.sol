// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Sampler} from "../../src/Sampler.sol";
import {BalancerV2Adapter} from "../../src/adapters/BalancerV2Adapter.sol";
import {VenueKind, VenueKinds} from "../../src/types/VenueKind.sol";
import {adapterKey, adapterPool} from "../../src/venues/AdapterKey.sol";
import {IBalancerPool} from "../../src/venues/Balancer.sol";
import {IStablePool} from "../../src/venues/BalancerStable.sol";
import {IWeightedPool} from "../../src/venues/BalancerWeighted.sol";
import {listedKey} from "../../src/venues/Listed.sol";
import {SampledAdapterCases} from "../adapters/SampledAdapterCases.sol";
import {BalancerFixture, IPoolId} from "../fixtures/BalancerFixture.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {KindCases} from "./KindCases.sol";

/// @notice What both kinds of Balancer pools share in their tests.
abstract contract BalancerCases is SampledAdapterCases, BalancerFixture {
    /// @dev What trades on the pools; zero for the Vault itself.
    BalancerV2Adapter private _adapter;

    function setUp() public virtual override {
        super.setUp();
        deployBalancer();
    }

    function _tradeThroughAdapter(address factory) internal {
        _adapter = new BalancerV2Adapter(factory, address(0));
        sampler = Sampler(address(_adapter));
    }

    /// @dev With up to ten thousand times more of a token than its share.
    function _farApart(uint256 seed, uint256[] memory amounts) internal pure returns (uint256[] memory) {
        for (uint256 i; i < amounts.length; ++i) {
            amounts[i] *= 1 + uint256(keccak256(abi.encode(seed, i))) % 10_000;
        }
        return amounts;
    }

    function _amounts(uint256 seed, address[] memory tokens, uint256 spread)
        internal
        view
        returns (uint256[] memory amounts)
    {
        amounts = new uint256[](tokens.length);
        uint256 whole = 2000 * 10 ** _between(seed >> 64, 0, 4);
        for (uint256 i; i < amounts.length; ++i) {
            uint256 share = _between(seed >> (72 + 16 * i), 1000, 1000 * spread);
            amounts[i] = whole * share * 10 ** PlainToken(tokens[i]).decimals() / 1000;
        }
    }

    function _of(VenueKind kind, address pool, address[] memory tokens, uint256 i, uint256 j)
        internal
        view
        returns (Subject memory subject)
    {
        (subject.kind, subject.deployer, subject.pool) = (kind, address(vault), pool);
        subject.key = listedKey(0, i, j);
        (subject.token0, subject.token1) = (PlainToken(tokens[i]), PlainToken(tokens[j]));
        if (address(_adapter) == address(0)) return subject;
        uint256[] memory hints = new uint256[](1);
        hints[0] = uint160(pool);
        (subject.kind, subject.deployer, subject.pool) = (VenueKinds.ADAPTER, address(_adapter), address(_adapter));
        subject.key = _adapter.keysOf(tokens[j], tokens[i], hints)[0];
        assertEq(subject.key, adapterKey(pool, i, j));
    }

    function _isShared() internal pure override returns (bool) {
        return true;
    }

    function pay(Subject memory subject, bool zeroForOne, uint256 amountIn) external override returns (uint256) {
        if (address(_adapter) != address(0)) {
            return _payThrough(_adapter, subject, zeroForOne, amountIn, address(vault));
        }
        return zeroForOne
            ? swapOnVault(subject.pool, subject.token0, subject.token1, amountIn)
            : swapOnVault(subject.pool, subject.token1, subject.token0, amountIn);
    }

    function _reserves(Subject memory subject, bool zeroForOne) internal view override returns (uint256, uint256) {
        (uint256 reserve0, uint256 reserve1) = (_held(subject, subject.token0), _held(subject, subject.token1));
        return zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
    }

    function _held(Subject memory subject, PlainToken token) private view returns (uint256 held) {
        address pool = address(_adapter) == address(0) ? subject.pool : adapterPool(subject.key);
        (address[] memory tokens, uint256[] memory balances,) = vault.getPoolTokens(IPoolId(pool).getPoolId());
        for (uint256 i; i < tokens.length; ++i) {
            if (tokens[i] == address(token)) held = balances[i];
        }
    }
}

contract BalancerWeightedTest is BalancerCases {
    /// forge-config: default.fuzz.runs = 100
    function testFuzz_draw_endsWithTheMostThatThePoolTakes(uint256 seed, bool zeroForOne) public {
        _assertEndsWithTheMost(_read(_subject(seed)), zeroForOne);
    }

    /// @dev Balancer adds 1e-14 to the power that the output follows from, so as much of the reserve stays.
    function _kept(uint256 reserveOut) internal pure override returns (uint256) {
        return reserveOut / 5e13;
    }

    /// @dev Lopsided weights bend a curve so much that the tails are drawn as lines.
    function _tightness(Subject memory) internal pure override returns (uint256) {
        return 5e7;
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        address[] memory tokens = _tokens(seed, 2 + (seed >> 32) % 2);
        return _poolOf(seed, tokens, _amounts(seed, tokens, 9));
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        address[] memory tokens = _tokens(seed, 2 + (seed >> 32) % 2);
        return _poolOf(seed, tokens, _farApart(seed, _amounts(seed, tokens, 9)));
    }

    function _poolOf(uint256 seed, address[] memory tokens, uint256[] memory amounts) private returns (Subject memory) {
        uint256[] memory weights = new uint256[](tokens.length);
        // Half and half, four fifths, anything; a third token has a fixed weight.
        uint256 rest = tokens.length == 3 ? 0.8e18 : 1e18;
        if (tokens.length == 3) weights[2] = 0.2e18;
        uint256 pick = (seed >> 40) % 4;
        weights[0] = pick == 0 ? rest / 2 : pick == 1 ? rest * 4 / 5 : _between(seed >> 200, rest / 10, rest * 9 / 10);
        weights[1] = rest - weights[0];
        address pool = createWeighted(tokens, weights, amounts, _between(seed >> 160, 1e12, 0.1e18));
        return _of(VenueKinds.BALANCER_WEIGHTED, pool, tokens, 0, 1);
    }
}

contract BalancerStableTest is BalancerCases {
    /// @dev A pool whose balance without an input comes out above what it holds.
    function test_draw_isNotEmptyIf_noInputRoundsUp() public {
        testFuzz_draw_isNotEmptyIf_thePoolPays(
            39601806189268049233427375615348125414916879077315523692,
            false,
            153201933689014838055195824315186291551488424499
        );
    }

    function _subject(uint256 seed) internal override returns (Subject memory) {
        address[] memory tokens = _tokens(seed, 2 + (seed >> 32) % 3);
        return _poolOf(seed, tokens, _amounts(seed, tokens, 1 + (seed >> 48) % 6));
    }

    function _lopsided(uint256 seed) internal override returns (Subject memory) {
        address[] memory tokens = _tokens(seed, 2 + (seed >> 32) % 3);
        return _poolOf(seed, tokens, _farApart(seed, _amounts(seed, tokens, 6)));
    }

    function _poolOf(uint256 seed, address[] memory tokens, uint256[] memory amounts) private returns (Subject memory) {
        address pool = createStable(
            tokens,
            amounts,
            new address[](tokens.length),
            _between(seed >> 200, 10, 5000),
            _between(seed >> 160, 1e12, 0.1e18)
        );
        uint256 i = (seed >> 176) % (tokens.length - 1);
        return _of(VenueKinds.BALANCER_STABLE, pool, tokens, i, _between(seed >> 180, i + 1, tokens.length - 1));
    }
}

contract BalancerV2AdapterWeightedTest is BalancerWeightedTest {
    function setUp() public override {
        super.setUp();
        _tradeThroughAdapter(address(weightedFactory));
    }
}

contract BalancerV2AdapterStableTest is BalancerStableTest {
    function setUp() public override {
        super.setUp();
        _tradeThroughAdapter(address(stableFactory));
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract BalancerWeightedKindTest is KindCases {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.BALANCER_WEIGHTED;
    }

    function deployKind() internal override returns (uint16, address pool_, uint256) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.5e18, 0.5e18);
        pool_ = createWeighted(pair, weights, amounts, 0.0005e18);
        addPool(WEIGHTED, pool_, pair);
        return (WEIGHTED, pool_, listedKey(1, 0, 1));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](6));
        selectors[0] = IBalancerPool.getPoolId.selector;
        selectors[1] = IBalancerPool.getVault.selector;
        selectors[2] = IBalancerPool.getSwapFeePercentage.selector;
        selectors[3] = IBalancerPool.getPausedState.selector;
        selectors[4] = IBalancerPool.getScalingFactors.selector;
        selectors[5] = IWeightedPool.getNormalizedWeights.selector;
    }
}

/// @notice The cases that every kind passes.
/// forge-config: default.fuzz.runs = 100
contract BalancerStableKindTest is KindCases {
    function kind() internal pure override returns (VenueKind) {
        return VenueKinds.BALANCER_STABLE;
    }

    function deployKind() internal override returns (uint16, address pool_, uint256) {
        (address[] memory pair, uint256[] memory amounts) = pairOf(USDC_INDEX, DAI_INDEX);
        pool_ = createStable(pair, amounts, new address[](2), 200, 0.0001e18);
        addPool(STABLE, pool_, pair);
        return (STABLE, pool_, listedKey(1, 0, 1));
    }

    function calledFunctions() internal view override returns (address target, bytes4[] memory selectors) {
        (target, selectors) = (pool, new bytes4[](7));
        selectors[0] = IBalancerPool.getPoolId.selector;
        selectors[1] = IBalancerPool.getVault.selector;
        selectors[2] = IBalancerPool.getSwapFeePercentage.selector;
        selectors[3] = IBalancerPool.getPausedState.selector;
        selectors[4] = IBalancerPool.getScalingFactors.selector;
        selectors[5] = IStablePool.getAmplificationParameter.selector;
        selectors[6] = IStablePool.getRateProviders.selector;
    }
}
