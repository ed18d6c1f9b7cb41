// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {adapterKey} from "../../src/venues/AdapterKey.sol";
import {PlainToken} from "../fixtures/Tokens.sol";
import {AdapterSafetyCases} from "./AdapterSafetyCases.sol";

/// @notice What nobody can do to an adapter of pairs: pools of two tokens that sell all they hold beyond their reserves.
abstract contract PairSafetyCases is AdapterSafetyCases {
    function testFuzz_swap_revertsIf_thePlacesAreOthers(uint8 places) public {
        if (places != uint8(key)) _expectRefusal(adapterKey(pool, places >> 4, places & 15), pool, a, b);
    }

    function test_swap_revertsIf_theTokensAreOthers() public {
        PlainToken c = new PlainToken("C", 18);
        _expectRefusal(key, pool, a, c);
        _expectRefusal(key, pool, c, b);
        _expectRefusal(key, pool, a, a);
    }

    function _sellsDonations() internal pure override returns (bool) {
        return true;
    }

    function _holder() internal view override returns (address) {
        return pool;
    }
}
