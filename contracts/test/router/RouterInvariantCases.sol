// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {HookToken, NoReturnToken, PlainToken} from "../fixtures/Tokens.sol";
import {Test} from "forge-std/Test.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice Swaps over random routes through five tokens, by several users, with donations in between and a token that
/// calls back into the Router.
abstract contract RouterHandler is ProtocolFixture {
    bytes32 internal constant SWAP = keccak256("Swap(address,address,address,uint256,uint256,uint256)");

    uint256 private constant MAX_TRADE = 1e20;

    address public immutable victim = makeAddr("victim");
    /// Who takes a part of swaps, in a generation that pays integrators.
    address public immutable integrator = makeAddr("integrator");
    address[5] public tokens;
    uint256[5] public donated;
    uint256[5] public fees;
    uint256 public swaps;

    /// One of the tokens calls the Router in the middle of its transfers.
    HookToken private hooked;
    /// The pools of each two tokens, the fee of each, zero for a pair of Uniswap V2.
    mapping(address tokenA => mapping(address tokenB => address[])) private _pools;
    mapping(address pool => uint24) private _feeOf;
    address[] private _allPools;

    /// @dev Not in the constructor, because pools call back for their liquidity.
    function open() public virtual {
        deployProtocol();
        hooked = new HookToken("HOOK", 18);
        tokens = [address(weth), address(usdc), address(dai), address(hooked), address(new NoReturnToken("USDT", 6))];
        for (uint256 i; i < tokens.length; ++i) {
            for (uint256 j; j < i; ++j) {
                _createPools(tokens[i], tokens[j]);
            }
            PlainToken(tokens[i]).mint(victim, 1e30);
            vm.prank(victim);
            (bool ok,) = tokens[i].call(abi.encodeCall(PlainToken.approve, (address(router), type(uint256).max)));
            require(ok);
        }
    }

    function poolCount() external view returns (uint256) {
        return _allPools.length;
    }

    function poolAt(uint256 index) external view returns (address) {
        return _allPools[index];
    }

    function routerAddress() external view returns (address) {
        return address(router);
    }

    function feeCollectorAddress() external view returns (address) {
        return feeCollector();
    }

    /// @notice Gives the Router tokens that belong to no swap.
    function donate(uint256 token, uint256 amount) external {
        token = bound(token, 0, 4);
        amount = bound(amount, 1, 1e20);
        donated[token] += amount;
        PlainToken(tokens[token]).mint(address(router), amount);
    }

    /// @notice A split of two legs into a middle token or straight, and on from there.
    function swapAlong(uint256 seed, uint256 amountIn, address account) external {
        vm.assume(
            account != victim && account != integrator && account.code.length == 0 && uint160(account) > 0xffff
                && account != feeCollector()
        );
        assumeNotForgeAddress(account);
        // Who finds the true outputs must hold nothing, or what it holds would be swapped along.
        vm.assume(account != walker);
        // Fuzzed numbers are often small, which would leave the upper bits without variety.
        seed = uint256(keccak256(abi.encode(seed)));
        uint256[3] memory stops = _stops(seed);
        amountIn = bound(amountIn, 1e6, MAX_TRADE);

        Leg[] memory legs = _legs(seed, stops);
        Route memory route = routeOf(legs, amountIn);
        if (route.grossOut == 0) return;
        hooked.setHook(address(router), _intrusion(route, account), seed % 2 == 0);
        _swapAndCheck(route, account, stops[2]);
    }

    /// @dev A swap of the tokens of whoever is swapping, or the callback of a pool that the swap may wait for.
    function _intrusion(Route memory route, address account) private view returns (bytes memory) {
        if (uint160(account) % 2 == 0) {
            return abi.encodeCall(IRouter.swapExactIn, (route, route.amountIn, 1, account, block.timestamp));
        }
        return abi.encodeWithSelector(V3_CALLBACK, int256(route.amountIn), int256(route.amountIn), "");
    }

    function _swapAndCheck(Route memory route, address account, uint256 out) private {
        PlainToken tokenIn = PlainToken(route.tokenIn);
        PlainToken tokenOut = PlainToken(route.tokenOut);
        fund(account, route.tokenIn, route.amountIn);
        uint256 balanceIn = tokenIn.balanceOf(account);
        uint256 balanceOut = tokenOut.balanceOf(account);
        uint256 feesBefore = tokenOut.balanceOf(feeCollector());

        vm.recordLogs();
        uint256 amountOut = send(account, route);

        uint256 fee = route.grossOut * 28 / 10_000;
        assertEq(balanceIn - tokenIn.balanceOf(account), route.amountIn, "pulled");
        assertEq(tokenOut.balanceOf(account) - balanceOut, amountOut, "paid");
        assertEq(tokenOut.balanceOf(feeCollector()) - feesBefore, fee, "fee");
        assertEq(amountOut + fee + integratorFee(route), route.grossOut, "conservation");
        assertAnnounced(account, route, amountOut, _routerLogs());
        fees[out] += fee;
        ++swaps;
    }

    /// @dev Swaps for the account, which has the tokens and has approved the Router.
    function send(address account, Route memory route) internal virtual returns (uint256) {
        vm.prank(account);
        return router.swapExactIn(route, route.amountIn, 1, account, block.timestamp);
    }

    /// @dev What an integrator took of the swap that was sent last.
    function integratorFee(Route memory) internal view virtual returns (uint256) {
        return 0;
    }

    /// @dev What the Router announces of a swap, in order and nothing else.
    function assertAnnounced(address account, Route memory route, uint256 amountOut, Vm.Log[] memory logs)
        internal
        view
        virtual;

    function assertIsSwap(Vm.Log memory log, address account, Route memory route, uint256 amountOut) internal pure {
        assertEq(log.topics[0], SWAP);
        assertEq(log.topics[1], bytes32(uint256(uint160(account))));
        assertEq(log.topics[2], bytes32(uint256(uint160(route.tokenIn))));
        assertEq(log.topics[3], bytes32(uint256(uint160(route.tokenOut))));
        assertEq(log.data, abi.encode(route.amountIn, amountOut, route.legs.length));
    }

    function _routerLogs() private returns (Vm.Log[] memory found) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].emitter == address(router)) logs[count++] = logs[i];
        }
        found = new Vm.Log[](count);
        for (uint256 i; i < count; ++i) {
            found[i] = logs[i];
        }
    }

    /// @dev Three different tokens.
    function _stops(uint256 seed) private pure returns (uint256[3] memory stops) {
        stops[0] = seed % 5;
        stops[1] = (stops[0] + 1 + (seed >> 8) % 2) % 5;
        stops[2] = (stops[0] + 3 + (seed >> 16) % 2) % 5;
    }

    function _legs(uint256 seed, uint256[3] memory stops) private view returns (Leg[] memory legs) {
        bool straight = (seed >> 24) % 3 == 0;
        uint256 firstLegs = 1 + (seed >> 32) % 2;
        uint256 secondLegs = straight ? 0 : 1 + (seed >> 40) % 2;
        legs = new Leg[](firstLegs + secondLegs);
        uint256 next = straight ? stops[2] : stops[1];
        for (uint256 i; i < legs.length; ++i) {
            bool first = i < firstLegs;
            legs[i] = first
                ? _leg(seed >> (48 + 8 * i), tokens[stops[0]], tokens[next])
                : _leg(seed >> (48 + 8 * i), tokens[stops[1]], tokens[stops[2]]);
            bool last = i == firstLegs - 1 || i == legs.length - 1;
            if (!last) legs[i].share = 0.01e18 + (seed >> 128) % 0.98e18;
        }
    }

    function _leg(uint256 seed, address tokenIn, address tokenOut) private view returns (Leg memory) {
        address[] storage pools = _pools[tokenIn][tokenOut];
        address pool = pools[seed % pools.length];
        return _feeOf[pool] == 0 ? legV2(pool, tokenIn, tokenOut) : legV3(pool, tokenIn, tokenOut, _feeOf[pool]);
    }

    /// @dev All tokens are worth the same for each base unit, whatever their decimals.
    function _createPools(address tokenA, address tokenB) private {
        _note(tokenA, tokenB, createV2(tokenA, tokenB, 1e24, 1e24), 0);
        address pool = createV3(tokenA, tokenB, 500, 1, 1);
        addAround(pool, 1000, 1e26);
        addFullRange(pool, 1e24);
        _note(tokenA, tokenB, pool, 500);
    }

    function _note(address tokenA, address tokenB, address pool, uint24 fee) private {
        _pools[tokenA][tokenB].push(pool);
        _pools[tokenB][tokenA].push(pool);
        _allPools.push(pool);
        _feeOf[pool] = fee;
    }
}

/// @notice What holds after any sequence of swaps and donations.
abstract contract RouterInvariantCases is Test {
    RouterHandler internal handler;

    function createHandler() internal virtual returns (RouterHandler);

    function setUp() public {
        handler = createHandler();
        handler.open();
        targetContract(address(handler));
        targetSelector(FuzzSelector({addr: address(handler), selectors: handlerSelectors()}));
    }

    function handlerSelectors() internal pure virtual returns (bytes4[] memory selectors) {
        selectors = new bytes4[](2);
        (selectors[0], selectors[1]) = (RouterHandler.swapAlong.selector, RouterHandler.donate.selector);
    }

    /// @dev What else holds in the generation.
    function assertGeneration() internal virtual {}

    /// @dev One property of four parts, because each property runs a campaign of its own.
    function invariant_nothingStaysInTheRouterAndNothingLeaksThroughIt() public {
        address router_ = handler.routerAddress();
        for (uint256 i; i < 5; ++i) {
            PlainToken token = PlainToken(handler.tokens(i));
            assertEq(token.balanceOf(router_), handler.donated(i), "holds what was donated");
            assertEq(token.balanceOf(handler.feeCollectorAddress()), handler.fees(i), "fees are the collector's");
            assertEq(token.balanceOf(handler.victim()), 1e30, "an allowance to the Router costs nothing");
        }
        assertGeneration();
    }

    /// @dev Once a sequence, because no swap takes an allowance of an earlier one back.
    function afterInvariant() public view {
        assertGt(handler.swaps(), 0, "the sequence swapped nothing");
        for (uint256 i; i < 5; ++i) {
            for (uint256 j; j < handler.poolCount(); ++j) {
                assertEq(
                    PlainToken(handler.tokens(i)).allowance(handler.routerAddress(), handler.poolAt(j)),
                    0,
                    "gives no allowance"
                );
            }
        }
    }
}
