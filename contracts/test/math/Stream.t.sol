// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EPOCH_SECONDS, Stream, epochEnd} from "../../src/math/Stream.sol";
import {Test} from "forge-std/Test.sol";

contract StreamTest is Test {
    uint256 private constant START = 3000 * EPOCH_SECONDS;
    uint256 private constant MOST = 1 << 90;
    uint256 private constant FAR = 5 * EPOCH_SECONDS;

    function test_epochEnd_isTheNextMultiple() public pure {
        assertEq(epochEnd(START - 1), START);
        assertEq(epochEnd(START), START + EPOCH_SECONDS);
        assertEq(epochEnd(START + EPOCH_SECONDS - 1), START + EPOCH_SECONDS);
    }

    function test_advance_streamsEvenlyAndThenStops() public pure {
        Stream memory stream = Stream({total: 700, queued: 0, updatedAt: uint64(START)});
        assertEq(stream.advance(START + 1 days, true), 100);
        assertEq(stream.left(), 600);
        assertEq(stream.advance(START + 1 days, true), 0);
        assertEq(stream.advance(START + EPOCH_SECONDS, true), 600);
        assertEq(stream.left(), 0);
        assertEq(stream.advance(START + FAR, true), 0);
    }

    function test_advance_bringsTheQueueInAtTheEpochsEnd() public pure {
        Stream memory stream = Stream({total: 0, queued: 700, updatedAt: uint64(START + 6 days)});
        assertEq(stream.advance(START + EPOCH_SECONDS - 1, true), 0);
        assertEq(stream.queued, 700);
        assertEq(stream.advance(START + EPOCH_SECONDS + 2 days, true), 200);
        assertEq(stream.queued, 0);
        assertEq(stream.left(), 500);
        assertEq(stream.advance(START + 9 * EPOCH_SECONDS, true), 500);
    }

    function test_advance_carriesOverWhatNobodyEarns() public pure {
        Stream memory stream = Stream({total: 700, queued: 70, updatedAt: uint64(START)});
        assertEq(stream.advance(START + 1 days, false), 0);
        assertEq(stream.queued, 170);
        assertEq(stream.left(), 600);
        assertEq(stream.advance(START + EPOCH_SECONDS, false), 0);
        assertEq(stream.total, 770);
        assertEq(stream.queued, 0);
        assertEq(stream.advance(START + 4 * EPOCH_SECONDS + 1 days, false), 0);
        assertEq(stream.left(), 660);
        assertEq(stream.queued, 110);
    }

    /// @dev Whoever looks in between, and however often, changes nothing.
    function testFuzz_advance_dependsOnTheTimeAlone(
        uint256 total,
        uint256 queued,
        uint256 from,
        uint256[4] memory stops,
        bool earning
    ) public pure {
        Stream memory steps = _stream(total, queued, from);
        Stream memory once = Stream(steps.total, steps.queued, steps.updatedAt);
        uint256 released;
        uint256 time = steps.updatedAt;
        for (uint256 i; i < stops.length; ++i) {
            time = bound(stops[i], time, START + FAR);
            released += steps.advance(time, earning);
        }
        assertEq(once.advance(time, earning), released, "released");
        assertEq(once.left(), steps.left(), "left");
        assertEq(once.queued, steps.queued, "queued");
        assertEq(once.updatedAt, steps.updatedAt, "updatedAt");
    }

    /// @dev Against a walk through all epochs, one by one, on which no amount is lost.
    function testFuzz_advance_isTheWalkThroughAllEpochs(
        uint256 total,
        uint256 queued,
        uint256 from,
        uint256 to,
        bool earning
    ) public pure {
        Stream memory stream = _stream(total, queued, from);
        uint256 start = stream.updatedAt - stream.updatedAt % EPOCH_SECONDS;
        (uint256 epochTotal, uint256 next, uint256 time) = (stream.total, stream.queued, stream.updatedAt);
        to = bound(to, time, START + FAR);
        uint256 held = stream.left() + next;

        uint256 expected;
        while (time < to) {
            uint256 until = to < start + EPOCH_SECONDS ? to : start + EPOCH_SECONDS;
            uint256 part = epochTotal * (until - start) / EPOCH_SECONDS - epochTotal * (time - start) / EPOCH_SECONDS;
            if (earning) expected += part;
            else next += part;
            time = until;
            if (until == start + EPOCH_SECONDS) (epochTotal, next, start) = (next, 0, until);
        }

        uint256 released = stream.advance(to, earning);
        assertEq(released, expected, "released");
        assertEq(stream.queued, next, "queued");
        assertEq(stream.total, epochTotal, "total");
        assertEq(released + stream.left() + stream.queued, held, "nothing is lost");
    }

    function _stream(uint256 total, uint256 queued, uint256 from) private pure returns (Stream memory) {
        return Stream({
            total: uint96(bound(total, 0, MOST)),
            queued: uint96(bound(queued, 0, MOST)),
            updatedAt: uint64(bound(from, START, START + FAR))
        });
    }
}
