// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ICore} from "../../src/interfaces/ICore.sol";
import {CoreFixture} from "../fixtures/CoreFixture.sol";
import {demandAtMost, demandEqual} from "../fixtures/Demand.sol";
import {HookToken, NoReturnToken, PlainToken, TaxedToken} from "../fixtures/Tokens.sol";

/// @notice Fees of six tokens arrive, are recorded, claimed and sold in any order, with stakers, donations and jumps in
/// time between. One token taxes transfers, one loses balances, one calls back into Core from each of its transfers.
contract CoreHandler is CoreFixture {
    /// @dev What became of one token's fees, recounted from what went in.
    struct Ghost {
        uint256 t1;
        uint256 t2;
        /// Here and not yet recorded.
        uint256 waiting;
        /// When the first fee of the present lot was recorded.
        uint256 firstAt;
    }

    error HookDidOtherwise(bytes call, bool succeeded);
    error NotSolvent();

    uint256 private constant TOKENS = 6;
    uint256 private constant SLU = 0;
    uint256 private constant TAXED = 3;
    uint256 private constant SHRINKING = 4;
    uint256 private constant HOOKED = 5;
    /// @dev A hundred fees of it fit the ledger.
    uint256 private constant MOST_OF_A_FEE = 1e29;
    uint256 private constant LIFETIME = 22.5 hours;
    uint256 private constant HALF_LIFE = 15 minutes;

    uint256 public fees;
    PlainToken[TOKENS] private tokens;
    Ghost[TOKENS] private ghosts;
    HookToken private hooked;
    /// @dev The token whose fees the hook records, and TOKENS where it tries what Core refuses.
    uint256 private hookRecords;
    /// @dev What the stakers were given and have not taken.
    uint256 private funded;

    constructor() {
        deployCore();
        hooked = new HookToken("HOOK", 18);
        tokens[SLU] = PlainToken(address(slu));
        tokens[1] = usdc;
        tokens[2] = new NoReturnToken("USDT", 6);
        tokens[TAXED] = new TaxedToken("TAX", 18, 700);
        tokens[SHRINKING] = new PlainToken("AMPL", 9);
        tokens[HOOKED] = hooked;
        slu.approve(address(core), type(uint256).max);
        slu.approve(address(staking), type(uint256).max);
    }

    /// @dev Most calls follow at once or within the hour; some after days.
    modifier later(uint256 wait) {
        uint256 kind = wait % 8;
        wait = wait >> 3;
        if (kind > 2) vm.warp(block.timestamp + (kind == 7 ? wait % 3 days : wait % 1 hours));
        _;
    }

    /* WHAT HAPPENS */

    /// @notice A fee as the Router brings it: sent, then recorded.
    function bringFee(uint256 index, uint256 amount, uint256 wait) external later(wait) {
        index %= TOKENS;
        _give(index, amount);
        _record(index);
        ++fees;
    }

    /// @notice Tokens that nobody records for now.
    function donate(uint256 index, uint256 amount, uint256 wait) external later(wait) {
        _give(index % TOKENS, amount);
    }

    function claimT2(uint256 index, uint256 wait) external later(wait) {
        _claimT2(index % TOKENS);
    }

    function buyT1(uint256 index, uint256 wait) external later(wait) {
        _buyT1(index % TOKENS);
    }

    function fundStakers(uint256 wait) external later(wait) {
        _fundStakers();
    }

    /// @notice Part of what Core holds of a token vanishes, as a rebase or a slash does it.
    function shrink(uint256 percent, uint256 wait) external later(wait) {
        PlainToken token = tokens[SHRINKING];
        uint256 balance = token.balanceOf(address(core));
        vm.prank(address(core));
        token.transfer(address(0xdead), balance * (percent % 101) / 100);
        uint256 left = token.balanceOf(address(core));

        Ghost storage ghost = ghosts[SHRINKING];
        uint256 recorded = ghost.t1 + ghost.t2;
        if (left < recorded) {
            ghost.waiting = 0;
            ghost.t1 = ghost.t1 * left / recorded;
            ghost.t2 = left - ghost.t1;
        } else {
            ghost.waiting = left - recorded;
        }
        _record(SHRINKING);
    }

    /// @notice What the hostile token's transfers call from now on.
    function setHook(uint256 kind, uint256 index, bool first) external {
        index %= TOKENS;
        address token = address(tokens[index]);
        bytes[5] memory calls = [
            abi.encodeCall(ICore.recordFee, (token)),
            abi.encodeCall(ICore.recordFee, (address(hooked))),
            abi.encodeCall(ICore.claimT2, (token)),
            abi.encodeCall(ICore.buyT1, (token, type(uint256).max, address(this))),
            abi.encodeCall(ICore.fundStakers, ())
        ];
        kind %= calls.length;
        hookRecords = kind == 0 && index != HOOKED ? index : TOKENS;
        hooked.setHook(address(core), calls[kind], first);
    }

    function stake(uint256 amount, uint256 wait) external later(wait) {
        staking.stake(_sized(amount, slu.balanceOf(address(this)) / 2));
    }

    function exit(uint256 wait) external later(wait) {
        (, uint256 reward) = staking.exit(address(this));
        funded -= reward;
    }

    /* WHAT MUST HOLD */

    function check() external view {
        for (uint256 i; i < TOKENS; ++i) {
            Ghost memory ghost = ghosts[i];
            (uint256 t1, uint256 t2) = core.ledger(address(tokens[i]));
            demandEqual(t1, ghost.t1, "T1");
            demandEqual(t2, ghost.t2, "T2");
            // For SLU too: what buyers pay never stays here.
            demandEqual(tokens[i].balanceOf(address(core)), t1 + t2 + ghost.waiting, "held");
        }
        demandEqual(slu.allowance(address(core), address(staking)), 0, "allowance");
        demandEqual(staking.rewardReserve(), funded, "what the stakers were given");
        if (!staking.isSolvent()) revert NotSolvent();
    }

    /// @notice Whatever has happened, all of it can be paid out.
    function close() external {
        assertGt(fees, 0, "no fee ever came");
        for (uint256 i; i < TOKENS; ++i) {
            _record(i);
        }
        vm.warp(block.timestamp + LIFETIME);
        _fundStakers();
        for (uint256 i; i < TOKENS; ++i) {
            _claimT2(i);
            _buyT1(i);
            assertEq(tokens[i].balanceOf(address(core)), 0, "all is paid out");
        }
    }

    /* INTERNAL */

    function _give(uint256 index, uint256 amount) private {
        amount = _sized(amount, MOST_OF_A_FEE);
        uint256 before = tokens[index].balanceOf(address(core));
        if (index == SLU) {
            slu.transfer(address(core), amount % (slu.balanceOf(address(this)) / 40));
        } else if (index == TAXED) {
            tokens[index].mint(address(this), amount);
            tokens[index].transfer(address(core), amount);
        } else {
            tokens[index].mint(address(core), amount);
        }
        ghosts[index].waiting += tokens[index].balanceOf(address(core)) - before;
    }

    function _record(uint256 index) private {
        uint256 due = ghosts[index].waiting;
        _noteRecord(index);
        (uint256 amount, uint256 toT1, uint256 toT2) = core.recordFee(address(tokens[index]));
        demandEqual(amount, due, "recorded");
        demandEqual(toT1, due / 2, "T1 is half, rounded down");
        demandEqual(toT2, due - due / 2, "T2 is the rest");
    }

    function _claimT2(uint256 index) private {
        _noteRecord(index);
        uint256 due = ghosts[index].t2;
        ghosts[index].t2 = 0;
        uint256 balance = tokens[index].balanceOf(treasury);

        demandEqual(core.claimT2(address(tokens[index])), due, "T2 claimed");
        demandEqual(tokens[index].balanceOf(treasury) - balance, _afterTax(index, due), "T2 received");
        if (index == HOOKED && due != 0) _noteHook();
    }

    function _buyT1(uint256 index) private {
        PlainToken token = tokens[index];
        (uint256 offered, uint256 price) = core.lot(address(token));
        uint256 sluBefore = slu.balanceOf(address(this));
        if (offered == 0 || price > sluBefore / 2) return;

        _noteRecord(index);
        Ghost storage ghost = ghosts[index];
        demandEqual(offered, ghost.t1, "the lot is T1");
        ghost.t1 = 0;
        uint256 age = block.timestamp - ghost.firstAt;
        demandAtMost(core.START_PRICE() >> (age / HALF_LIFE + 1), price, "no cheaper than its first fee");

        uint256 before = token.balanceOf(buyer);
        (uint256 amount, uint256 paid) = core.buyT1(address(token), price, buyer);
        demandEqual(amount, offered, "all of the lot");
        demandEqual(token.balanceOf(buyer) - before, _afterTax(index, offered), "received");
        demandEqual(paid, price, "at its price");
        demandEqual(sluBefore - slu.balanceOf(address(this)), price, "paid");
        funded += paid;
        if (index == HOOKED) _noteHook();
    }

    function _fundStakers() private {
        _noteRecord(SLU);
        uint256 due = ghosts[SLU].t1;
        ghosts[SLU].t1 = 0;
        demandEqual(core.fundStakers(), due, "T1 given");
        funded += due;
    }

    /// @dev Whatever records a token counts all that waits of it.
    function _noteRecord(uint256 index) private {
        Ghost storage ghost = ghosts[index];
        uint256 toT1 = ghost.waiting / 2;
        if (ghost.t1 == 0 && toT1 != 0) ghost.firstAt = block.timestamp;
        ghost.t1 += toT1;
        ghost.t2 += ghost.waiting - toT1;
        ghost.waiting = 0;
    }

    /// @dev The token has just been paid out and has called its hook.
    function _noteHook() private {
        if (hooked.hook() == address(0)) return;
        if (hooked.hookSucceeded() != (hookRecords != TOKENS)) {
            revert HookDidOtherwise(hooked.hookData(), hooked.hookSucceeded());
        }
        if (hookRecords != TOKENS) _noteRecord(hookRecords);
    }

    function _afterTax(uint256 index, uint256 amount) private pure returns (uint256) {
        return index == TAXED ? amount - amount * 700 / 10_000 : amount;
    }

    /// @dev Of every order of magnitude alike, at most `most`.
    function _sized(uint256 seed, uint256 most) private pure returns (uint256 amount) {
        uint256 bits = seed % 97;
        amount = 1 + (uint256(keccak256(abi.encode(seed))) & ((1 << bits) - 1));
        if (amount > most) amount = most;
    }
}

/// @notice Sequences of a hundred calls, none of which may revert. `.ci/run` makes a thousand of them.
/// forge-config: default.invariant.depth = 100
contract CoreCampaignTest is CoreFixture {
    CoreHandler private handler;

    function setUp() public {
        handler = new CoreHandler();
        bytes4[] memory selectors = new bytes4[](9);
        selectors[0] = CoreHandler.bringFee.selector;
        selectors[1] = CoreHandler.donate.selector;
        selectors[2] = CoreHandler.claimT2.selector;
        selectors[3] = CoreHandler.buyT1.selector;
        selectors[4] = CoreHandler.fundStakers.selector;
        selectors[5] = CoreHandler.shrink.selector;
        selectors[6] = CoreHandler.setHook.selector;
        selectors[7] = CoreHandler.stake.selector;
        selectors[8] = CoreHandler.exit.selector;
        targetContract(address(handler));
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
    }

    /// @dev One property of many parts, because each property runs a campaign of its own.
    function invariant_theLedgerIsWhatIsHeld() public view {
        handler.check();
    }

    function afterInvariant() public {
        handler.close();
    }
}
