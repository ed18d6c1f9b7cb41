// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Slu} from "../src/Slu.sol";
import {Test} from "forge-std/Test.sol";

contract SluTest is Test {
    address private immutable holder = makeAddr("holder");
    Slu private slu;

    function setUp() public {
        slu = new Slu(holder);
    }

    function test_constructor_givesTheFixedSupplyToTheHolder() public view {
        assertEq(slu.name(), "Sluice");
        assertEq(slu.symbol(), "SLU");
        assertEq(slu.decimals(), 18);
        assertEq(slu.totalSupply(), 1_000_000_000 * 1e18);
        assertEq(slu.balanceOf(holder), slu.totalSupply());
    }

    function test_permit_approvesBySignature() public {
        (address signer, uint256 key) = makeAddrAndKey("signer");
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, signer, address(this), 5e18, 0, block.timestamp));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", slu.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);

        slu.permit(signer, address(this), 5e18, block.timestamp, v, r, s);
        assertEq(slu.allowance(signer, address(this)), 5e18);
    }
}
