// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Length of an epoch, in seconds. Epochs are counted from 1970.
uint256 constant EPOCH_SECONDS = 7 days;

/// @notice An amount that streams evenly over the epoch of `updatedAt`, and the one of the epoch after it.
struct Stream {
    /// What the epoch streams in all, with what it has streamed already.
    uint96 total;
    uint96 queued;
    uint64 updatedAt;
}

using {advance, left} for Stream global;

/// @notice Moves the stream on to `time`.
/// @dev What an epoch has streamed by a moment is `floor(total * elapsed / EPOCH_SECONDS)`, whoever has looked before.
/// @param earning Whether anybody earns meanwhile; if not, what streams joins what the following epoch streams.
/// @return released What was earned meanwhile.
function advance(Stream memory stream, uint256 time, bool earning) pure returns (uint256 released) {
    uint256 end = epochEnd(stream.updatedAt);
    if (time >= end) {
        released = _advanceWithin(stream, end, earning);
        (stream.total, stream.queued) = (stream.queued, 0);

        uint256 start = time - time % EPOCH_SECONDS;
        if (start != end) {
            // Whole epochs went by: the first streamed all there was, or each passed all of it on to the next.
            if (earning) {
                released += stream.total;
                stream.total = 0;
            }
            stream.updatedAt = uint64(start);
        }
    }
    released += _advanceWithin(stream, time, earning);
}

/// @notice What the epoch still streams.
function left(Stream memory stream) pure returns (uint256) {
    return stream.total - _streamedBy(stream.total, stream.updatedAt % EPOCH_SECONDS);
}

/// @notice The end of the epoch that `time` is in, which is the first second of the next.
function epochEnd(uint256 time) pure returns (uint256) {
    return time - time % EPOCH_SECONDS + EPOCH_SECONDS;
}

/// @dev To a `time` in the same epoch, or its end.
function _advanceWithin(Stream memory stream, uint256 time, bool earning) pure returns (uint256 released) {
    uint256 elapsedBefore = stream.updatedAt % EPOCH_SECONDS;
    uint256 elapsed = elapsedBefore + time - stream.updatedAt;
    released = _streamedBy(stream.total, elapsed) - _streamedBy(stream.total, elapsedBefore);
    stream.updatedAt = uint64(time);
    if (!earning) {
        stream.queued += uint96(released);
        released = 0;
    }
}

function _streamedBy(uint256 total, uint256 elapsed) pure returns (uint256) {
    return total * elapsed / EPOCH_SECONDS;
}
