// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPermit2} from "../../src/interfaces/IPermit2.sol";
import {IRouter} from "../../src/interfaces/IRouter.sol";
import {Permit, Permit2Transfer, Terms} from "../../src/interfaces/IRouterV2.sol";
import {protocolFee} from "../../src/math/FeeMath.sol";
import {Leg, Route} from "../../src/types/Route.sol";
import {ProtocolFixture} from "../fixtures/ProtocolFixture.sol";
import {SecondGeneration} from "../fixtures/SecondGeneration.sol";
import {HookToken, PlainToken, TaxedToken, TollToken} from "../fixtures/Tokens.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {stdError} from "forge-std/StdError.sol";

/// @notice Swaps that a signature pays for: with the published code of Permit2, and with a token's own permit.
contract RouterSignaturesTest is ProtocolFixture, SecondGeneration {
    uint256 private constant AMOUNT = 1e18;
    uint256 private constant KEY = 0xA11CE;
    bytes32 private constant PERMIT_TYPE =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    address private immutable signer = vm.addr(KEY);
    address private immutable relayer = makeAddr("relayer");
    address private immutable recipient = makeAddr("recipient");
    address private v2Pool;
    address private v3Pool;
    address private sluPool;

    function setUp() public {
        deployProtocol();
        v2Pool = createV2(address(weth), address(usdc), 1000e18, 3_000_000e6);
        v3Pool = createV3(address(weth), address(usdc), 500, 1e18, 3000e6);
        addAround(v3Pool, 2000, 1e18);
        sluPool = v2Factory.createPair(address(slu), address(usdc));
        slu.transfer(sluPool, 1_000_000e18);
        fundV2(sluPool, address(usdc), address(usdc), 50_000e6, 0);
        weth.mint(signer, 10 * AMOUNT);
        vm.prank(signer);
        weth.approve(address(PERMIT2), type(uint256).max);
    }

    /* PERMIT2 */

    function testFuzz_swapExactInWithPermit2_isTheSwapOfItsSigner(uint256 amountIn, uint256 nonce, address sender)
        public
    {
        vm.assume(sender != signer);
        amountIn = bound(amountIn, 1e12, 10 * AMOUNT);
        Route memory route = _route(amountIn);
        Terms memory terms = _terms(route);
        uint256 netOut = route.grossOut - protocolFee(route.grossOut);
        uint256 sendersBalance = weth.balanceOf(sender);
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, nonce);
        vm.expectEmit(address(router));
        emit IRouter.Swap(signer, address(weth), address(usdc), amountIn, netOut, 2);
        vm.prank(sender);
        assertEq(router2.swapExactInWithPermit2(route, terms, permit), netOut);

        assertEq(weth.balanceOf(signer), 10 * AMOUNT - amountIn);
        assertEq(weth.balanceOf(sender), sendersBalance, "the sender pays gas alone");
        assertEq(usdc.balanceOf(recipient), netOut);
        _assertNothingStays();
    }

    function test_swapExactInWithPermit2_revertsIf_replayed() public {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 7);
        _send(route, terms, permit);
        vm.expectRevert(bytes4(keccak256("InvalidNonce()")));
        _send(route, terms, permit);
    }

    /// @dev Whoever sends it, with whatever changed, moves nothing.
    function testFuzz_swapExactInWithPermit2_revertsIf_anythingIsNotWhatWasSigned(uint256 member, uint256 change)
        public
    {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        member = bound(member, 0, 15);
        change = bound(change, 1, type(uint128).max);
        if (member == 0) terms.amountIn += change;
        if (member == 1) terms.amountIn -= bound(change, 1, AMOUNT - 1);
        if (member == 2) terms.minOut = change == terms.minOut ? change + 1 : change;
        if (member == 3) terms.recipient = relayer;
        if (member == 4) terms.recipient = address(uint160(uint256(keccak256(abi.encode(change)))));
        if (member == 5) terms.deadline += change;
        if (member == 6) permit.nonce += change;
        if (member == 7) route.grossOut = bound(change, 1, route.grossOut - 1);
        if (member == 8) route.impactBps = bound(change, 1, 10_000);
        if (member == 9) route.amountIn += change;
        if (member == 10) route.legs[0].share += bound(change, 1, 0.1e18);
        if (member == 11) route.legs = _without(route.legs);
        if (member == 12) (route.legs[0], route.legs[1]) = (route.legs[1], route.legs[0]);
        if (member == 13) route.tokenOut = address(dai);
        if (member == 14) permit.owner = relayer;
        if (member == 15) permit.signature[bound(change, 0, 63)] ^= 0x01;
        _assertRefused(route, terms, permit);
    }

    function testFuzz_swapExactInWithPermit2_revertsIf_expired(uint256 late) public {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        late = bound(late, 1, 1e9);
        vm.warp(terms.deadline + late);
        vm.expectRevert(abi.encodeWithSelector(IRouter.Expired.selector, terms.deadline, terms.deadline + late));
        _send(route, terms, permit);
    }

    function test_swapExactInWithPermit2_revertsIf_minimumIsMissed() public {
        (Route memory route, Terms memory terms) = _signed();
        terms.minOut = route.grossOut;
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        vm.expectRevert(
            abi.encodeWithSelector(
                IRouter.BelowFloor.selector, route.grossOut, route.grossOut - protocolFee(route.grossOut)
            )
        );
        _send(route, terms, permit);
        assertEq(PERMIT2.nonceBitmap(signer, 0), 0, "the signature can still be used");
    }

    function test_swapExactInWithPermit2_isOfNoUseOutsideTheRouter() public {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        bytes32 witness = keccak256(
            abi.encode(
                keccak256("SwapWitness(bytes32 routeHash,address recipient,uint256 minOut)"),
                keccak256(abi.encode(route)),
                terms.recipient,
                terms.minOut
            )
        );
        vm.prank(relayer);
        vm.expectRevert(bytes4(keccak256("InvalidSigner()")));
        PERMIT2.permitWitnessTransferFrom(
            _permission(route, terms, permit.nonce),
            _details(relayer, terms.amountIn),
            signer,
            witness,
            "SwapWitness witness)SwapWitness(bytes32 routeHash,address recipient,uint256 minOut)TokenPermissions(address token,uint256 amount)",
            permit.signature
        );
    }

    function test_swapExactInWithPermit2_takesAContractsSignature() public {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        // A wallet that accepts its owner's signatures (ERC-1271).
        SignerWallet wallet = new SignerWallet(signer);
        permit.owner = address(wallet);
        weth.mint(address(wallet), AMOUNT);
        wallet.approve(weth, address(PERMIT2));
        assertEq(_send(route, terms, permit), route.grossOut - protocolFee(route.grossOut));
        assertEq(weth.balanceOf(address(wallet)), 0);
        assertEq(weth.balanceOf(signer), 10 * AMOUNT);
    }

    function test_swapExactInWithPermit2_taxedInputIsWhatArrived() public {
        TaxedToken taxed = new TaxedToken("TAX", 18, 200);
        address pool = createV2(address(taxed), address(usdc), 1000e18, 3_000_000e6);
        taxed.mint(signer, AMOUNT);
        vm.prank(signer);
        taxed.approve(address(PERMIT2), type(uint256).max);
        // Taxed on the way to the Router, and again on the way to the pair.
        uint256 arrived = AMOUNT * 98 / 100;
        Route memory route = routeOf(legV2(pool, address(taxed), address(usdc)), arrived);
        route.amountIn = AMOUNT;
        Terms memory terms = _terms(route);
        assertEq(_send(route, terms, signPermit2(KEY, route, terms, 0)), route.grossOut - protocolFee(route.grossOut));
        assertEq(taxed.balanceOf(address(router)), 0);
    }

    function test_swapExactInWithPermit2_revertsIf_nothingArrived() public {
        TollToken toll = new TollToken("TOLL", 18);
        address pool = createV2(address(toll), address(usdc), 1000e18, 3_000_000e6);
        Route memory route = routeOf(legV2(pool, address(toll), address(usdc)), AMOUNT);
        toll.mint(signer, AMOUNT);
        vm.prank(signer);
        toll.approve(address(PERMIT2), type(uint256).max);
        toll.setToll(address(router), 10_000);
        Terms memory terms = _terms(route);
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        vm.expectRevert(abi.encodeWithSelector(IRouter.BadRoute.selector, 0));
        _send(route, terms, permit);
    }

    function test_swapExactInWithPermit2_moreThanWasSignedForIsNotSwapped() public {
        HookToken hooked = new HookToken("BONUS", 18);
        address pool = createV2(address(hooked), address(usdc), 1000e18, 3_000_000e6);
        Route memory route = routeOf(legV2(pool, address(hooked), address(usdc)), AMOUNT);
        hooked.mint(signer, AMOUNT);
        vm.prank(signer);
        hooked.approve(address(PERMIT2), type(uint256).max);
        // Each transfer brings the Router as much again.
        hooked.setHook(address(hooked), abi.encodeCall(PlainToken.mint, (address(router), AMOUNT)), false);
        Terms memory terms = _terms(route);
        assertEq(_send(route, terms, signPermit2(KEY, route, terms, 0)), route.grossOut - protocolFee(route.grossOut));
        assertEq(hooked.balanceOf(address(router)), 2 * AMOUNT);
    }

    function test_swapExactInWithPermit2_reentrancyIsRefused() public {
        HookToken hooked = new HookToken("HOOK", 18);
        address pool = createV2(address(hooked), address(usdc), 1000e18, 3_000_000e6);
        Route memory route = routeOf(legV2(pool, address(hooked), address(usdc)), AMOUNT);
        hooked.mint(signer, AMOUNT);
        vm.prank(signer);
        hooked.approve(address(PERMIT2), type(uint256).max);
        (Route memory inner, Terms memory innerTerms) = _signed();
        bytes memory call =
            abi.encodeCall(router2.swapExactInWithPermit2, (inner, innerTerms, signPermit2(KEY, inner, innerTerms, 1)));
        hooked.setHook(address(router), call, true);
        Terms memory terms = _terms(route);
        _send(route, terms, signPermit2(KEY, route, terms, 0));
        assertEq(hooked.hookAnswer(), abi.encodeWithSelector(IRouter.UnexpectedCall.selector, address(hooked)));
        assertFalse(hooked.hookSucceeded());
    }

    function test_swapExactInWithPermit2_twoWithTheirOwnNonces() public {
        (Route memory route, Terms memory terms) = _signed();
        _send(route, terms, signPermit2(KEY, route, terms, 0));
        uint256 gross = trueOutputOf(route, AMOUNT);
        route.grossOut = gross;
        assertEq(_send(route, terms, signPermit2(KEY, route, terms, 256)), gross - protocolFee(gross));
        assertEq(weth.balanceOf(signer), 8 * AMOUNT);
    }

    /* PERMIT */

    function testFuzz_swapExactInWithPermit_needsNoApproval(uint256 amountIn) public {
        amountIn = bound(amountIn, 1e15, 1000e18);
        Route memory route = _routeSlu(amountIn);
        Terms memory terms = _terms(route);
        slu.transfer(signer, amountIn);
        Permit memory permit = _permit(terms);
        vm.prank(signer);
        assertEq(router2.swapExactInWithPermit(route, terms, permit), route.grossOut - protocolFee(route.grossOut));
        assertEq(slu.balanceOf(signer), 0);
        assertEq(slu.allowance(signer, address(router)), 0, "nothing is left of the approval");
        assertEq(usdc.balanceOf(recipient), route.grossOut - protocolFee(route.grossOut));
    }

    function test_swapExactInWithPermit_aPermitSentAheadDoesNotStopIt() public {
        Route memory route = _routeSlu(AMOUNT);
        Terms memory terms = _terms(route);
        slu.transfer(signer, AMOUNT);
        Permit memory permit = _permit(terms);
        vm.prank(relayer);
        slu.permit(signer, address(router), AMOUNT, terms.deadline, permit.v, permit.r, permit.s);
        vm.prank(signer);
        assertEq(router2.swapExactInWithPermit(route, terms, permit), route.grossOut - protocolFee(route.grossOut));
    }

    /// @dev How SLU refuses to move an amount of which the Router is allowed nothing.
    function _refusal(uint256 amount) private view returns (bytes memory) {
        bytes memory reason =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(router), 0, amount);
        return abi.encodeWithSelector(IRouter.TransferRefused.selector, address(slu), reason);
    }

    function test_swapExactInWithPermit_isOfNoUseToAnother() public {
        Route memory route = _routeSlu(AMOUNT);
        Terms memory terms = _terms(route);
        slu.transfer(signer, AMOUNT);
        Permit memory permit = _permit(terms);
        vm.prank(relayer);
        vm.expectRevert(_refusal(AMOUNT));
        router2.swapExactInWithPermit(route, terms, permit);
        assertEq(slu.balanceOf(signer), AMOUNT);
        assertEq(slu.allowance(signer, address(router)), 0);
    }

    function testFuzz_swapExactInWithPermit_revertsIf_itIsNotWhatWasSigned(uint256 member, uint256 change) public {
        Route memory route = _routeSlu(AMOUNT);
        Terms memory terms = _terms(route);
        slu.transfer(signer, 2 * AMOUNT);
        Permit memory permit = _permit(terms);
        change = bound(change, 1, AMOUNT - 1);
        member = bound(member, 0, 3);
        if (member == 0) terms.amountIn += change;
        if (member == 1) terms.deadline += change;
        if (member == 2) permit.r ^= bytes32(change);
        if (member == 3) permit.s ^= bytes32(change);
        vm.prank(signer);
        vm.expectRevert(_refusal(terms.amountIn));
        router2.swapExactInWithPermit(route, terms, permit);
    }

    /// @dev A token without `permit` answers the call or refuses it; its allowance decides, and the victim has given one.
    function test_swapExactInWithPermit_aPhantomPermitGrantsNothing() public {
        address victim = makeAddr("victim");
        fund(victim, address(weth), AMOUNT);
        Route memory route = _route(AMOUNT);
        Terms memory terms = _terms(route);
        vm.prank(relayer);
        vm.expectRevert(
            abi.encodeWithSelector(IRouter.TransferRefused.selector, address(weth), stdError.arithmeticError)
        );
        router2.swapExactInWithPermit(route, terms, Permit(27, bytes32(uint256(1)), bytes32(uint256(2))));
        assertEq(weth.balanceOf(victim), AMOUNT);

        // With an allowance of one's own the permit is not needed.
        fund(relayer, address(weth), AMOUNT);
        vm.prank(relayer);
        router2.swapExactInWithPermit(route, terms, Permit(0, 0, 0));
        assertEq(weth.balanceOf(relayer), 0);
    }

    function test_signatures_checkTheOrder() public {
        (Route memory route, Terms memory terms) = _signed();
        Permit2Transfer memory permit = signPermit2(KEY, route, terms, 0);
        terms.minOut = 0;
        vm.expectRevert(IRouter.ZeroMinimum.selector);
        _send(route, terms, permit);
        vm.expectRevert(IRouter.ZeroMinimum.selector);
        router2.swapExactInWithPermit(route, terms, Permit(0, 0, 0));
        terms.minOut = 1;
        vm.prank(owner);
        hub.pause();
        vm.expectRevert(IRouter.Paused.selector);
        _send(route, terms, permit);
    }

    /* HELPERS */

    function _route(uint256 amountIn) private returns (Route memory) {
        Leg memory half = legV2(v2Pool, address(weth), address(usdc));
        half.share = 0.5e18;
        return routeOf(half, legV3(v3Pool, address(weth), address(usdc), 500), amountIn);
    }

    function _routeSlu(uint256 amountIn) private view returns (Route memory route) {
        (route.tokenIn, route.tokenOut) = (address(slu), address(usdc));
        route.amountIn = amountIn;
        uint256 kept = amountIn * 997;
        route.grossOut = kept * 50_000e6 / (1_000_000e18 * 1000 + kept);
        route.legs = new Leg[](1);
        route.legs[0] = legV2(sluPool, address(slu), address(usdc));
    }

    function _terms(Route memory route) private view returns (Terms memory) {
        return Terms({amountIn: route.amountIn, minOut: 1, recipient: recipient, deadline: block.timestamp + 60});
    }

    function _signed() private returns (Route memory route, Terms memory terms) {
        route = _route(AMOUNT);
        terms = _terms(route);
    }

    function _send(Route memory route, Terms memory terms, Permit2Transfer memory permit) private returns (uint256) {
        vm.prank(relayer);
        return router2.swapExactInWithPermit2(route, terms, permit);
    }

    function _assertRefused(Route memory route, Terms memory terms, Permit2Transfer memory permit) private {
        vm.prank(relayer);
        try router2.swapExactInWithPermit2(route, terms, permit) {
            assertTrue(false, "another swap than was signed");
        } catch {}
        assertEq(weth.balanceOf(signer), 10 * AMOUNT);
        assertEq(PERMIT2.nonceBitmap(signer, 0), 0);
    }

    function _permit(Terms memory terms) private view returns (Permit memory permit) {
        bytes32 message = keccak256(
            abi.encode(PERMIT_TYPE, signer, address(router), terms.amountIn, slu.nonces(signer), terms.deadline)
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", slu.DOMAIN_SEPARATOR(), message));
        (permit.v, permit.r, permit.s) = vm.sign(KEY, digest);
    }

    function _without(Leg[] memory legs) private pure returns (Leg[] memory shorter) {
        shorter = new Leg[](1);
        shorter[0] = legs[1];
    }

    function _permission(Route memory route, Terms memory terms, uint256 nonce)
        private
        pure
        returns (IPermit2.PermitTransferFrom memory)
    {
        return IPermit2.PermitTransferFrom(
            IPermit2.TokenPermissions(route.tokenIn, terms.amountIn), nonce, terms.deadline
        );
    }

    function _details(address to, uint256 amount) private pure returns (IPermit2.SignatureTransferDetails memory) {
        return IPermit2.SignatureTransferDetails(to, amount);
    }

    function _assertNothingStays() private view {
        assertEq(weth.balanceOf(address(router)), 0);
        assertEq(usdc.balanceOf(address(router)), 0);
    }
}

/// @notice A wallet that its owner's signature speaks for (ERC-1271).
contract SignerWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function approve(PlainToken token, address spender) external {
        token.approve(spender, type(uint256).max);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        return ecrecover(hash, uint8(signature[64]), r, s) == owner ? this.isValidSignature.selector : bytes4(0);
    }
}
