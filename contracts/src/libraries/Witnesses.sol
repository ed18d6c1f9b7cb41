// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Witness} from "../types/Plan.sol";

/// @notice What Arbitrum's chains offer beside `block.number`, which is another chain's height there.
interface IArbSys {
    function arbBlockNumber() external view returns (uint256);
    function arbBlockHash(uint256 number) external view returns (bytes32);
}

/// @dev Empty on every chain that is not an Arbitrum one.
IArbSys constant ARB_SYS = IArbSys(address(0x64));

/// @notice The block that this call runs on.
function currentWitness() view returns (Witness memory witness) {
    witness.chainId = block.chainid;
    witness.timestamp = block.timestamp;
    if (address(ARB_SYS).code.length != 0) {
        witness.blockNumber = ARB_SYS.arbBlockNumber();
        witness.parentHash = ARB_SYS.arbBlockHash(witness.blockNumber - 1);
    } else {
        witness.blockNumber = block.number;
        witness.parentHash = blockhash(block.number - 1);
    }
}
