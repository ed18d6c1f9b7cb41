// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PriceFloor} from "../../src/math/PriceFloor.sol";
import {Leg, Route, WHOLE_SHARE} from "../../src/types/Route.sol";
import {INDEX_BITS, listedKey} from "../../src/venues/Listed.sol";
import {AllVenuesFixture} from "../fixtures/AllVenuesFixture.sol";
import {GrossRouter} from "../fixtures/GrossRouter.sol";
import {NgStableSwap, OldStableSwap, PlainStableSwap} from "../fixtures/StableSwapPools.sol";
import {PlainToken} from "../fixtures/Tokens.sol";

/// @notice Random markets of pools of all kinds, routes over them as no optimizer would make them, and what the pools
/// really deliver for such a route.
abstract contract RoutingsFixture is AllVenuesFixture {
    /// @dev A pool and two of its tokens, by their places in `tokens`.
    struct Candidate {
        uint16 venue;
        address pool;
        uint256 key;
        uint256 a;
        uint256 b;
    }

    /// @dev A route under construction.
    struct Sketch {
        uint256 tokenIn;
        uint256 tokenOut;
        /// Whether a connector token may only be bought from `tokenIn`, and sold to the others.
        bool[] early;
        /// Whether anything buys the token.
        bool[] bought;
        Leg[] legs;
        uint256 count;
        uint256 seed;
    }

    uint256 private constant MAX_LEGS = 24;
    /// @dev The first tokens are the connector tokens of the Hub.
    uint256 private constant CONNECTORS = 4;
    uint256 private constant MAX_HOPS = 3;

    GrossRouter internal grossRouter;
    Candidate[] private _candidates;

    function deployRoutings() internal {
        deployAllVenues();
        grossRouter = new GrossRouter(hub);
    }

    /* MARKETS */

    /// @notice Pools of every kind, each there or not, deep or shallow, and a little off the market.
    function seedRoutings(uint256 seed) internal virtual {
        for (uint256 a; a < tokens.length; ++a) {
            for (uint256 b = a + 1; b < tokens.length; ++b) {
                uint256 random = uint256(keccak256(abi.encode(seed, "pair", a, b)));
                if (random % 2 == 0) _placeV2(a, b, random >> 8);
                if (random >> 32 & 3 == 0) _placeV3(a, b, random >> 40);
                if (random >> 64 & 3 == 0) _placeSolidly(a, b, false, random >> 72);
                if (random >> 96 & 3 == 0) _placeWeighted(a, b, random >> 104);
            }
        }
        uint256 stables = uint256(keccak256(abi.encode(seed, "stables")));
        if (stables & 1 == 0) _placeSolidly(USDC_INDEX, DAI_INDEX, true, stables >> 8);
        if (stables & 2 == 0) _placeCurve(stables >> 40);
        if (stables & 4 == 0) _placeNg(stables >> 72);
        if (stables & 8 == 0) _placeBalancerStable(stables >> 104);
        if (stables & 16 == 0) _placeThree(stables >> 136);
    }

    function _placeV2(uint256 a, uint256 b, uint256 random) private {
        (uint256 amountA, uint256 amountB) = _amounts(a, b, random);
        _add(UNISWAP_V2, createV2(address(tokens[a]), address(tokens[b]), amountA, amountB), 0, a, b);
    }

    function _placeV3(uint256 a, uint256 b, uint256 random) private {
        (uint256 amountA, uint256 amountB) = _amounts(a, b, random);
        address pool = createV3(address(tokens[a]), address(tokens[b]), 500, amountA, amountB);
        uint256 liquidity = _root(amountA) * _root(amountB);
        for (uint256 i; i <= (random >> 32) % 3; ++i) {
            addAround(pool, int24(uint24(200 + (random >> (40 + 8 * i)) % 4000)), uint128(liquidity * (1 + i)));
        }
        _add(UNISWAP_V3, pool, 500, a, b);
    }

    function _placeSolidly(uint256 a, uint256 b, bool stable, uint256 random) private {
        (uint256 amountA, uint256 amountB) = _amounts(a, b, random);
        // The first deposit in a stable pool is as many whole tokens of each.
        if (stable) amountB = amountA * 10 ** tokens[b].decimals() / 10 ** tokens[a].decimals();
        address pool = address(createSolidly(address(tokens[a]), address(tokens[b]), stable, amountA, amountB));
        _add(SOLIDLY, pool, stable ? 1 : 0, a, b);
    }

    function _placeWeighted(uint256 a, uint256 b, uint256 random) private {
        uint256[] memory weights = new uint256[](2);
        (weights[0], weights[1]) = (0.1e18 + 0.8e18 * (random % 9) / 8, 0);
        weights[1] = 1e18 - weights[0];
        (address[] memory its, uint256[] memory amounts) = _ordered(a, b, random >> 8);
        // In proportion to its weight a token is worth as much as the other.
        for (uint256 i; i < 2; ++i) {
            amounts[i] = amounts[i] * weights[i] * 2 / 1e18;
        }
        address pool = createWeighted(its, weights, amounts, 0.0001e18 + (random >> 64) % 0.005e18);
        _list(WEIGHTED, pool, its);
    }

    function _placeCurve(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = _ordered(USDC_INDEX, DAI_INDEX, random);
        uint256 amp = 20 + random % 2000;
        address pool = random & 1 == 0
            ? address(new PlainStableSwap(its, amounts, amp, 4e6))
            : address(new OldStableSwap(its, amounts, amp, 4e6));
        _list(CURVE, pool, its);
    }

    /// @dev Two tokens of very different prices, which a rate makes alike.
    function _placeNg(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = _ordered(WETH_INDEX, USDC_INDEX, random);
        bool isWethFirst = its[0] == address(weth);
        uint256 rate = isWethFirst ? 2700e18 : uint256(1e18) / 2700;
        _list(CURVE, address(new NgStableSwap(its, amounts, 20 + random % 2000, 4e6, 2e10 + random % 8e10, rate)), its);
    }

    function _placeBalancerStable(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = _ordered(USDC_INDEX, DAI_INDEX, random);
        _list(STABLE, createStable(its, amounts, new address[](2), 20 + random % 2000, 0.0001e18), its);
    }

    /// @dev A weighted pool of three tokens.
    function _placeThree(uint256 random) private {
        (address[] memory its, uint256[] memory amounts) = threeTokens();
        uint256[] memory weights = new uint256[](3);
        (weights[0], weights[1], weights[2]) = (0.5e18, 0.3e18, 0.2e18);
        for (uint256 i; i < 3; ++i) {
            amounts[i] = amounts[i] * weights[i] / 1e18 * (980 + (random >> (16 * i)) % 40) / 1000;
        }
        _list(WEIGHTED, createWeighted(its, weights, amounts, 0.0005e18), its);
    }

    /// @dev Between 20 thousand and 5 million dollars, up to 2 % off the market.
    function _amounts(uint256 a, uint256 b, uint256 random) internal view returns (uint256 amountA, uint256 amountB) {
        uint256 dollars = 20_000 * (1 + random % 250);
        amountA = worth(a, dollars);
        amountB = worth(b, dollars) * (98_000 + (random >> 16) % 4000) / 100_000;
    }

    function _ordered(uint256 a, uint256 b, uint256 random)
        internal
        view
        returns (address[] memory its, uint256[] memory amounts)
    {
        if (tokens[a] > tokens[b]) (a, b) = (b, a);
        (its, amounts) = (new address[](2), new uint256[](2));
        (its[0], its[1]) = (address(tokens[a]), address(tokens[b]));
        (amounts[0], amounts[1]) = _amounts(a, b, random);
    }

    function _root(uint256 x) private pure returns (uint256 root) {
        root = x;
        for (uint256 next = (x + 1) / 2; next < root; next = (x / next + next) / 2) {
            root = next;
        }
    }

    function _list(uint16 venue, address pool, address[] memory its) private {
        addPool(venue, pool, its);
        uint256 number = hub.pools().length;
        for (uint256 i; i < its.length; ++i) {
            for (uint256 j = i + 1; j < its.length; ++j) {
                _add(venue, pool, listedKey(number, i, j), _indexOf(its[i]), _indexOf(its[j]));
            }
        }
    }

    function _indexOf(address token) internal view returns (uint256 index) {
        while (address(tokens[index]) != token) ++index;
    }

    /// @dev A pool that routes may use, and two of its tokens.
    function _add(uint16 venue, address pool, uint256 key, uint256 a, uint256 b) internal {
        _candidates.push(Candidate(venue, pool, key, a, b));
    }

    /* ROUTES */

    /// @notice What the pools deliver for the route; nothing if one of them refuses. Undone afterwards.
    function delivered(Route memory route) internal returns (uint256 grossOut) {
        if (route.legs.length == 0) return 0;
        uint256 snapshot = vm.snapshotState();
        PlainToken(route.tokenIn).mint(address(this), route.amountIn);
        PlainToken(route.tokenIn).approve(address(grossRouter), route.amountIn);
        (route.grossOut, route.impactBps) = (1, 0);
        try grossRouter.deliver(route) returns (uint256 gross) {
            grossOut = gross;
        } catch {}
        vm.revertToStateAndDelete(snapshot);
    }

    /// @notice A route of the same trade at random: over any pools, with any shares, of at most three hops.
    function randomRoute(Route memory trade, uint256 seed) internal view returns (Route memory route) {
        Sketch memory sketch = _sketch(trade, seed);
        _stage(sketch, 0);
        _stage(sketch, 1);
        _stage(sketch, 2);
        (route.tokenIn, route.tokenOut, route.amountIn) = (trade.tokenIn, trade.tokenOut, trade.amountIn);
        route.legs = _closed(sketch);
    }

    function _sketch(Route memory trade, uint256 seed) private view returns (Sketch memory sketch) {
        (sketch.tokenIn, sketch.tokenOut, sketch.seed) = (_indexOf(trade.tokenIn), _indexOf(trade.tokenOut), seed);
        (sketch.early, sketch.bought) = (new bool[](tokens.length), new bool[](tokens.length));
        for (uint256 i; i < tokens.length; ++i) {
            sketch.early[i] = _random(sketch, i) & 1 == 1;
        }
        sketch.bought[sketch.tokenIn] = true;
        sketch.legs = new Leg[](MAX_LEGS);
    }

    /// @dev First out of `tokenIn`, then between connector tokens, then into `tokenOut`.
    function _stage(Sketch memory sketch, uint256 stage) private view {
        for (uint256 c; c < _candidates.length; ++c) {
            uint256 random = _random(sketch, 100 + 100 * stage + c);
            if (random % 3 == 0 || sketch.count == MAX_LEGS) continue;
            Candidate memory candidate = _candidates[c];
            _tryLeg(sketch, stage, candidate, candidate.a, candidate.b, random);
            _tryLeg(sketch, stage, candidate, candidate.b, candidate.a, random);
        }
    }

    function _tryLeg(
        Sketch memory sketch,
        uint256 stage,
        Candidate memory candidate,
        uint256 from,
        uint256 to,
        uint256 random
    ) private view {
        if (to == sketch.tokenIn || from == sketch.tokenOut || !sketch.bought[from]) return;
        if (to >= CONNECTORS && to != sketch.tokenOut) return;
        if (sketch.count == MAX_LEGS || _uses(sketch.legs, sketch.count, candidate.pool, candidate.key)) return;
        uint256 its = from == sketch.tokenIn ? 0 : to == sketch.tokenOut ? 2 : 1;
        if (its != stage) return;
        if (stage == 1 && (!sketch.early[from] || sketch.early[to])) return;
        sketch.bought[to] = true;
        // Every order of magnitude alike.
        uint256 share = 1 + (random >> 32) % (WHOLE_SHARE >> (random >> 16) % 12);
        sketch.legs[sketch.count++] = _legOf(candidate, from, to, share);
    }

    function _legOf(Candidate memory candidate, uint256 from, uint256 to, uint256 share)
        private
        view
        returns (Leg memory)
    {
        return Leg({
            venue: candidate.venue,
            pool: candidate.pool,
            tokenIn: address(tokens[from]),
            tokenOut: address(tokens[to]),
            key: candidate.key,
            share: share
        });
    }

    /// @dev Without the legs that buy what nothing sells; the last leg of each token sells all that is left.
    function _closed(Sketch memory sketch) private view returns (Leg[] memory legs) {
        bool[] memory leadsOn = new bool[](tokens.length);
        bool[] memory hasLast = new bool[](tokens.length);
        leadsOn[sketch.tokenOut] = true;
        legs = new Leg[](sketch.count);
        uint256 at = sketch.count;
        for (uint256 i = sketch.count; i != 0; --i) {
            Leg memory leg = sketch.legs[i - 1];
            (uint256 from, uint256 to) = (_indexOf(leg.tokenIn), _indexOf(leg.tokenOut));
            if (!leadsOn[to]) continue;
            if (!hasLast[from]) leg.share = WHOLE_SHARE;
            (hasLast[from], leadsOn[from]) = (true, true);
            legs[--at] = leg;
        }
        uint256 count = sketch.count - at;
        for (uint256 i; i < count; ++i) {
            legs[i] = legs[at + i];
        }
        assembly ("memory-safe") {
            mstore(legs, count)
        }
    }

    /// @dev A second leg on a pool is no other routing of the pools: it would charge its fee on two parts, each rounded. An
    /// adapter's pools differ in their keys, of which the last bits only say which tokens, and those above the pool the price floor.
    function _uses(Leg[] memory legs, uint256 count, address pool, uint256 key) private pure returns (bool used) {
        for (uint256 i; i < count; ++i) {
            used = used || legs[i].pool == pool && _poolIn(legs[i].key) == _poolIn(key);
        }
    }

    function _poolIn(uint256 key) private pure returns (uint256) {
        return PriceFloor.without(key) >> (2 * INDEX_BITS);
    }

    function _random(Sketch memory sketch, uint256 k) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(sketch.seed, k)));
    }

    /* CLIMBING */

    /// @notice Changes a route a little at a time, and keeps what delivers more.
    function climb(Route memory start, uint256 seed, uint256 steps)
        internal
        returns (uint256 best, Route memory route)
    {
        (best, route) = (delivered(start), start);
        for (uint256 step; step < steps; ++step) {
            Route memory next = _changed(route, uint256(keccak256(abi.encode(seed, "climb", step))));
            if (_hopsOf(next) > MAX_HOPS) continue;
            uint256 grossOut = delivered(next);
            if (grossOut > best) (best, route) = (grossOut, next);
        }
    }

    /// @dev With another share of one leg, or with one leg more.
    function _changed(Route memory route, uint256 random) private view returns (Route memory next) {
        next = abi.decode(abi.encode(route), (Route));
        if (next.legs.length == 0) return next;
        if (random % 3 == 0) {
            Candidate memory candidate = _candidates[(random >> 8) % _candidates.length];
            bool swapped = random >> 40 & 1 == 1;
            (uint256 from, uint256 to) = swapped ? (candidate.b, candidate.a) : (candidate.a, candidate.b);
            if (to >= CONNECTORS && address(tokens[to]) != next.tokenOut) return next;
            uint256 share = WHOLE_SHARE >> (1 + (random >> 48) % 16);
            next.legs = _inserted(next.legs, _legOf(candidate, from, to, share));
            return next;
        }
        Leg memory leg = next.legs[(random >> 8) % next.legs.length];
        if (leg.share == WHOLE_SHARE) return next;
        uint256 change = leg.share >> (1 + (random >> 48) % 16);
        leg.share = random >> 80 & 1 == 1 ? leg.share + change : leg.share - change;
        if (leg.share >= WHOLE_SHARE) leg.share = WHOLE_SHARE - 1;
        if (leg.share == 0) leg.share = 1;
    }

    /// @dev Before the last leg that sells the same token; as it was where the route does not sell it.
    function _inserted(Leg[] memory legs, Leg memory leg) private pure returns (Leg[] memory) {
        uint256 at = legs.length;
        if (_uses(legs, at, leg.pool, leg.key)) return legs;
        for (uint256 i; i < legs.length; ++i) {
            if (legs[i].tokenIn == leg.tokenIn && legs[i].share == WHOLE_SHARE) at = i;
        }
        if (at == legs.length) return legs;
        Leg[] memory more = new Leg[](legs.length + 1);
        for (uint256 i; i < more.length; ++i) {
            more[i] = i < at ? legs[i] : i == at ? leg : legs[i - 1];
        }
        return more;
    }

    function _hopsOf(Route memory route) private view returns (uint256) {
        uint256[] memory hops = new uint256[](tokens.length);
        for (uint256 i; i < route.legs.length; ++i) {
            (uint256 from, uint256 to) = (_indexOf(route.legs[i].tokenIn), _indexOf(route.legs[i].tokenOut));
            if (hops[from] + 1 > hops[to]) hops[to] = hops[from] + 1;
        }
        return hops[_indexOf(route.tokenOut)];
    }
}
