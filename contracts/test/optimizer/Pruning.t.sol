// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IOptimizer} from "../../src/interfaces/IOptimizer.sol";
import {Optimizer} from "../../src/optimizer/Optimizer.sol";
import {Draft, NetworkFixture} from "./NetworkFixture.sol";

/// @notice Plans with legs that do not pay for their gas. Every token is worth the same, and so is the native one.
contract PruningTest is NetworkFixture {
    uint256 private constant AMOUNT = 1e23;
    uint256 private constant DEEP = 1e27;
    uint256 private constant LEG_GAS = 100_000;
    /// @dev Nodes of a network with three connector tokens; those before the last swap have an L.
    uint256 private constant A = 0;
    uint256 private constant B = 1;
    uint256 private constant A_L = 3;
    uint256 private constant B_L = 4;
    uint256 private constant C_L = 5;

    Optimizer private optimizer = new Optimizer();

    function test_prune_keepsEverythingWhereGasIsFree() public view {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2);
        assertEq(_prune(draft, flows, 0), flows);
    }

    function test_prune_dropsWhatCarriesLessThanItsGas() public view {
        // A leg costs a thousandth of the trade, and the second pool carries half of that.
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2000);
        uint256[] memory kept = _prune(draft, flows, AMOUNT / 1000);
        assertEq(kept[0], flows[0], "as it was");
        assertEq(kept[1], 0);
    }

    function test_prune_dropsWhatAddsLessThanItsGas() public view {
        // Half of the trade saves the other half about a twentieth of a thousandth of it.
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2);
        uint256[] memory kept = _prune(draft, flows, AMOUNT / 1000);
        assertEq((kept[0] == 0 ? 0 : 1) + (kept[1] == 0 ? 0 : 1), 1);
        kept = _prune(draft, flows, AMOUNT / 1_000_000);
        assertEq(kept, flows);
    }

    /// @dev Each half adds less than its gas to the other, but the plan says what they earn.
    function test_prune_keepsWhatEarnsItsGas() public view {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2);
        uint256[] memory plan = _planOf(flows, AMOUNT / 1000);
        (plan[3], plan[7]) = (flows[0] - AMOUNT / 1000, flows[1] - AMOUNT / 1000);
        assertEq(optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan), flows);
        // The second one earns a unit less than its gas.
        ++plan[7];
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        flows[1] = 0;
        assertEq(kept, flows);
    }

    function test_prune_countsWhatALegsDataCosts() public view {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2000);
        uint256[] memory plan = _planOf(flows, 0);
        (plan[plan.length - 3], plan[plan.length - 2]) = (0, AMOUNT / 1000);
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        assertEq(kept[0], flows[0]);
        assertEq(kept[1], 0);
    }

    /// @dev Each half adds hardly anything to the other, and gas is free: what counts is that there are two legs.
    function test_prune_countsHowManyLegsHaveData() public view {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2);
        uint256[] memory plan = _planOf(flows, 0);
        plan[plan.length - 2] = AMOUNT / 1000;
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        assertEq((kept[0] == 0 ? 0 : 1) + (kept[1] == 0 ? 0 : 1), 1);
    }

    /// @dev Beside a deep pool, five small ones add twice their gas, and six larger ones three fifths of theirs. Legs that are left
    /// out in the order of their worth leave the deep pool alone, and more legs were left out than are tried again.
    function test_prune_dropsLegsThatAreWorthMoreThanThoseItKeeps() public view {
        uint256 unit = AMOUNT / 1000;
        Draft memory draft = _draft(0, AMOUNT);
        uint256[] memory flows = new uint256[](12);
        flows[0] = AMOUNT - 28 * unit;
        _addPool(draft, 0, 1, DEEP, DEEP);
        for (uint256 k = 1; k < 12; ++k) {
            flows[k] = k < 6 ? 2 * unit : 3 * unit;
            // Pays twice what it is given.
            _addPool(draft, 0, 1, flows[k], 4 * flows[k]);
        }
        uint256[] memory plan = _planOf(flows, unit);
        for (uint256 k = 1; k < 12; ++k) {
            plan[4 * k + 2] = 2 * flows[k];
            if (k > 5) plan[4 * k + 1] = 5 * LEG_GAS;
        }
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        for (uint256 k = 6; k < 12; ++k) {
            flows[k] = 0;
        }
        assertEq(kept, flows);
    }

    /// @dev Without the third leg the last one gets less than its first range takes. In the plan it ends in the second.
    function test_prune_evaluatesALegThatEndsEarlierThanInThePlan() public view {
        uint256 unit = AMOUNT / 1000;
        (Draft memory draft, uint256[] memory flows) = _twoWaysIntoTwoRanges(unit, false);
        uint256[] memory kept = _prune(draft, flows, unit);
        flows[2] = 0;
        assertEq(kept, flows, "brings nothing that the others do not");
        (draft, flows) = _twoWaysIntoTwoRanges(unit, true);
        assertEq(_prune(draft, flows, unit / 10), flows, "brings a twentieth more");
    }

    function test_prune_dropsDearLegsThatPayOnlyBesideEachOther() public view {
        // A deep pool, and two small ones whose marginal price is that of the deep one. Without one of them the other carries
        // more than is good for it.
        uint256 small = AMOUNT * 3 / 10;
        Draft memory draft = _draft(0, AMOUNT);
        _addPool(draft, 0, 1, DEEP, DEEP);
        _addPool(draft, 0, 1, small, 4 * small);
        _addPool(draft, 0, 1, small, 4 * small);
        uint256[] memory flows = new uint256[](3);
        (flows[0], flows[1], flows[2]) = (AMOUNT - 2 * small, small, small);
        uint256[] memory plan = _planOf(flows, small * 103 / 100 / 20);
        (plan[5], plan[9]) = (20 * LEG_GAS, 20 * LEG_GAS);
        (plan[6], plan[10]) = (2 * small, 2 * small);
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        (flows[1], flows[2]) = (0, 0);
        assertEq(kept, flows);
    }

    /// @dev The dear leg is worth more than each of eight cheap ones, so that it is not among those that are tried first.
    function test_prune_dropsADearLegThatIsWorthMoreThanTheCheapOnes() public view {
        uint256 unit = AMOUNT / 1000;
        Draft memory draft = _draft(0, AMOUNT);
        uint256[] memory flows = new uint256[](10);
        for (uint256 k; k < 10; ++k) {
            // Beside the deep pool, each small one gains as much as it is given.
            flows[k] = k == 0 ? 969 * unit : k == 9 ? 15 * unit : 2 * unit;
            _addPool(draft, 0, 1, k == 0 ? DEEP : flows[k], k == 0 ? DEEP : 4 * flows[k]);
        }
        uint256[] memory plan = _planOf(flows, unit);
        for (uint256 k = 1; k < 10; ++k) {
            plan[4 * k + 2] = 2 * flows[k];
        }
        plan[4 * 9 + 1] = 20 * LEG_GAS;
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        flows[9] = 0;
        assertEq(kept, flows);
    }

    /// @dev The first pool is dear. Without it the second one pays best beside the small ones, but with it, alone.
    function test_prune_takesAnotherWayWhereTheFirstEndsEarly() public view {
        uint256 unit = AMOUNT / 1000;
        Draft memory draft = _draft(0, AMOUNT);
        _addPool(draft, 0, 1, 16_000 * unit, 15_520 * unit);
        _addPool(draft, 0, 1, 8000 * unit, 8000 * unit);
        _addPool(draft, 0, 1, 2000 * unit, 1940 * unit);
        _addPool(draft, 0, 1, 2000 * unit, 1940 * unit);
        uint256[] memory flows = new uint256[](4);
        (flows[0], flows[1], flows[2], flows[3]) = (499 * unit, 376 * unit, 62 * unit, 63 * unit);
        // Each leg costs ten units, the first one forty.
        uint256[] memory plan = _planOf(flows, 10 * unit);
        plan[1] = 4 * LEG_GAS;
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        (flows[2], flows[3]) = (0, 0);
        assertEq(kept, flows);
    }

    /// @dev Ten units are worth twenty by a way of two swaps, through the deepest pool and a shallow one. Most of the rest goes to a
    /// deep pool, and a tenth to another one, for more gas than it brings. Without that leg, the shallow pool must not get the tenth.
    function test_prune_keepsAWayWhoseFirstPoolIsDeepAndTheNextShallow() public view {
        uint256 unit = AMOUNT / 1000;
        Draft memory draft = _draft(3, AMOUNT);
        _addPool(draft, 6, 7, DEEP, DEEP);
        _addPool(draft, 6, 7, DEEP, DEEP);
        _addPool(draft, 6, A, 100 * DEEP, 100 * DEEP);
        _addPool(draft, A_L, 7, 10 * unit, 40 * unit);
        uint256[] memory flows = new uint256[](4);
        (flows[0], flows[1], flows[2], flows[3]) = (890 * unit, 100 * unit, 10 * unit, 10 * unit);
        // Each leg costs three units, the second one nine.
        uint256[] memory plan = _planOf(flows, 3 * unit);
        plan[5] = 3 * LEG_GAS;
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        flows[1] = 0;
        assertEq(kept, flows);
    }

    function test_prune_leavesAPathWhereNoLegPaysForItsGas() public view {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 3);
        uint256[] memory kept = _prune(draft, flows, AMOUNT);
        assertEq(kept[0], flows[0]);
        assertEq(kept[1], 0);
    }

    function test_prune_ofManyLegs_leavesOne() public view {
        uint256 count = 20;
        Draft memory draft = _draft(0, AMOUNT);
        uint256[] memory flows = new uint256[](count);
        for (uint256 k; k < count; ++k) {
            _addPool(draft, 0, 1, DEEP, DEEP);
            flows[k] = AMOUNT / count;
        }
        uint256[] memory kept = _prune(draft, flows, AMOUNT / 1000);
        uint256 left;
        for (uint256 k; k < count; ++k) {
            if (kept[k] != 0) ++left;
        }
        assertEq(left, 1);
    }

    function test_prune_dropsWhatAPrunedLegLedTo() public view {
        Draft memory draft = _draft(3, AMOUNT);
        _addPool(draft, 6, A, DEEP, DEEP);
        _addPool(draft, 6, B, DEEP, DEEP);
        _addPool(draft, A_L, 7, DEEP, DEEP);
        _addPool(draft, B_L, 7, DEEP, DEEP);
        uint256[] memory flows = new uint256[](4);
        (flows[0], flows[1]) = (AMOUNT * 9 / 10, AMOUNT / 10);
        (flows[2], flows[3]) = (AMOUNT * 9 / 10, AMOUNT / 10);
        uint256[] memory plan = _planOf(flows, AMOUNT / 100);
        // The first swap of the small way is dear, the second one would pay.
        plan[5] = 20 * LEG_GAS;
        uint256[] memory kept = optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, plan);
        (flows[1], flows[3]) = (0, 0);
        assertEq(kept, flows);
    }

    /// @dev Legs that small ones lead to and on from. By their tokens the others are a way of four swaps, which no split over
    /// them finds again.
    function test_prune_leavesWaysOfThreeSwapsAtMost() public view {
        Draft memory draft = _draft(3, AMOUNT);
        _addPool(draft, 6, A, DEEP, DEEP);
        _addPool(draft, 6, B, DEEP, DEEP);
        _addPool(draft, A, B_L, DEEP, DEEP);
        _addPool(draft, B, C_L, DEEP, DEEP);
        // Half of the trade is too much for it, so that the longer way is worth its gas.
        _addPool(draft, A_L, 7, AMOUNT, AMOUNT);
        _addPool(draft, B_L, 7, DEEP, DEEP);
        _addPool(draft, C_L, 7, DEEP, DEEP);
        uint256[] memory flows = new uint256[](7);
        (flows[0], flows[1]) = (AMOUNT - AMOUNT / 500, AMOUNT / 500);
        (flows[2], flows[3]) = (AMOUNT / 2, AMOUNT / 2);
        (flows[4], flows[5], flows[6]) = (AMOUNT / 2, AMOUNT / 500, AMOUNT / 2);
        uint256[] memory kept = _prune(draft, flows, AMOUNT / 100);
        (flows[1], flows[2], flows[3], flows[5], flows[6]) = (0, 0, 0, 0, 0);
        assertEq(kept, flows);
    }

    /// @dev Two tokens are each sold for the other, at a profit of a twentieth, before they are sold for the output: what the
    /// first one brings must not be missed by the second.
    function test_prune_keepsWaysThroughATokenThatIsSoldAndBought() public view {
        uint256 unit = AMOUNT / 1000;
        Draft memory draft = _draft(3, AMOUNT);
        _addPool(draft, 6, A, DEEP, DEEP);
        _addPool(draft, 6, B, DEEP, DEEP);
        _addRange(draft, A, B_L, 101 * unit);
        _addRange(draft, B, A_L, 101 * unit);
        _addPool(draft, A_L, 7, DEEP / 10, DEEP / 10);
        _addPool(draft, B_L, 7, DEEP / 10, DEEP / 10);
        uint256[] memory flows = new uint256[](6);
        (flows[0], flows[1], flows[2], flows[3]) = (500 * unit, 500 * unit, 100 * unit, 100 * unit);
        (flows[4], flows[5]) = (505 * unit, 505 * unit);
        assertEq(_prune(draft, flows, unit), flows);
    }

    function test_prune_revertsIf_aLegIsOutsideOfTheDomain() public {
        (Draft memory draft, uint256[] memory flows) = _twoPools(AMOUNT / 2);
        // No liquidity.
        draft.words[draft.offsets[1] + 3] = 0;
        vm.expectRevert(abi.encodeWithSelector(IOptimizer.BadEdge.selector, 1));
        optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, _planOf(flows, 0));
    }

    /// @dev Two equal pools, the second one with so much of the trade.
    function _twoPools(uint256 second) private pure returns (Draft memory draft, uint256[] memory flows) {
        draft = _draft(0, AMOUNT);
        _addPool(draft, 0, 1, DEEP, DEEP);
        _addPool(draft, 0, 1, DEEP, DEEP);
        flows = new uint256[](2);
        (flows[0], flows[1]) = (AMOUNT - second, second);
    }

    /// @dev A deep pool for most of the trade; two legs into a token, 90 units at a profit and 20; and that token's only leg, whose
    /// first range takes 108 units.
    /// @param isRich Whether the 20 units are sold at a profit as well.
    function _twoWaysIntoTwoRanges(uint256 unit, bool isRich)
        private
        pure
        returns (Draft memory draft, uint256[] memory flows)
    {
        draft = _draft(3, AMOUNT);
        _addPool(draft, 6, 7, DEEP, DEEP);
        _addRange(draft, 6, A, 200 * unit);
        if (isRich) _addRange(draft, 6, A, 200 * unit);
        else _addPool(draft, 6, A, DEEP, DEEP);
        uint256[] memory segments = new uint256[](10);
        uint256 middle = DEEP * Q96 / (DEEP + 108 * unit);
        (segments[0], segments[1], segments[2]) = (DEEP, Q96, middle);
        (segments[5], segments[6], segments[7]) = (DEEP, middle, DEEP * Q96 / (DEEP + 2 * AMOUNT));
        (segments[8], segments[9]) = (108 * unit, DEEP - DEEP * DEEP / (DEEP + 108 * unit));
        _addCurve(draft, A_L, 7, segments);
        flows = new uint256[](4);
        (flows[0], flows[1], flows[2]) = (890 * unit, 90 * unit, 20 * unit);
        flows[3] = isRich ? 1155 * unit / 10 : 1145 * unit / 10;
    }

    /// @dev Deep liquidity that pays a twentieth more than it is given, up to an input.
    function _addRange(Draft memory draft, uint256 from, uint256 to, uint256 most) private pure {
        uint256 start = Q96 * 1025 / 1000;
        uint256 virtualIn = DEEP * Q96 / start;
        uint256[] memory segments = new uint256[](5);
        (segments[0], segments[1], segments[2]) = (DEEP, start, DEEP * Q96 / (virtualIn + most));
        _addCurve(draft, from, to, segments);
    }

    function _prune(Draft memory draft, uint256[] memory flows, uint256 legCost)
        private
        view
        returns (uint256[] memory)
    {
        return optimizer.prune(draft.connectors, AMOUNT, draft.words, draft.offsets, _planOf(flows, legCost));
    }

    /// @param legCost What the gas of a leg costs.
    function _planOf(uint256[] memory flows, uint256 legCost) private pure returns (uint256[] memory plan) {
        plan = new uint256[](4 * flows.length + 3);
        for (uint256 k; k < flows.length; ++k) {
            (plan[4 * k], plan[4 * k + 1], plan[4 * k + 2], plan[4 * k + 3]) = (flows[k], LEG_GAS, flows[k], flows[k]);
        }
        (plan[4 * flows.length], plan[4 * flows.length + 2]) = (legCost / LEG_GAS, Q96);
    }
}
