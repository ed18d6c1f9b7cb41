// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @dev Tokens in the middle at most: the chain's own connector tokens and the caller's hints.
uint256 constant MAX_CONNECTORS = 9;

/// @return tokens The tokens in play, each once: connector tokens, then hints as far as there is room, then `tokenIn`
/// and `tokenOut`.
/// @return own How many are the chain's own connector tokens.
function tokensInPlay(address[] memory connectors, address[] memory hints, address tokenIn, address tokenOut)
    pure
    returns (address[] memory tokens, uint256 own)
{
    tokens = new address[](MAX_CONNECTORS + 2);
    own = _collect(tokens, 0, connectors, tokenIn, tokenOut);
    uint256 count = _collect(tokens, own, hints, tokenIn, tokenOut);
    (tokens[count], tokens[count + 1]) = (tokenIn, tokenOut);
    assembly ("memory-safe") {
        mstore(tokens, add(count, 2))
    }
}

/// @dev Adds what is not there yet, as long as there is room; how many there are then.
function _collect(address[] memory between, uint256 count, address[] memory tokens, address tokenIn, address tokenOut)
    pure
    returns (uint256)
{
    for (uint256 i; i < tokens.length && count < MAX_CONNECTORS; ++i) {
        bool known = tokens[i] == tokenIn || tokens[i] == tokenOut || tokens[i] == address(0);
        for (uint256 k; k < count; ++k) {
            known = known || between[k] == tokens[i];
        }
        if (!known) between[count++] = tokens[i];
    }
    return count;
}
