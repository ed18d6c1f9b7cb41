// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

import {ICore} from "../interfaces/ICore.sol";
import {IHub} from "../interfaces/IHub.sol";
import {IStaking} from "../interfaces/IStaking.sol";
import {balanceOf} from "../libraries/Balance.sol";
import {STAKERS_BPS, stakersPart} from "../math/FeeSplit.sol";
import {LOT_HALF_LIFE, LOT_START_PRICE, lotAge, lotPrice, rebornAt} from "../math/LotPrice.sol";

/// @title Core
/// @notice Fee ledger of the generation 2.0.0; see `ICore`.
contract Core is ICore {
    using SafeTransferLib for address;

    /// @dev One slot, written whenever something is recorded or paid out.
    struct Line {
        uint104 t1;
        uint104 t2;
        /// When T1 counts as having arrived, in unix seconds; see `rebornAt`.
        uint48 bornAt;
    }

    /// @inheritdoc ICore
    uint256 public constant T1_BPS = STAKERS_BPS;
    /// @inheritdoc ICore
    uint256 public constant START_PRICE = LOT_START_PRICE;
    /// @inheritdoc ICore
    uint256 public constant HALF_LIFE = LOT_HALF_LIFE;

    /// @dev What the ledger counts of one token, so that each part of it fits the slot.
    uint256 private constant MAX_RECORDED = type(uint104).max;

    /// @inheritdoc ICore
    IHub public immutable hub;
    /// @inheritdoc ICore
    IStaking public immutable staking;
    /// @inheritdoc ICore
    address public immutable slu;

    mapping(address token => Line) private _lines;
    /// @dev The token that is being paid out, zero for none: its balance is not to be measured meanwhile.
    address private transient _paying;

    constructor(IHub hub_, IStaking staking_) {
        hub = hub_;
        staking = staking_;
        slu = staking_.slu();
    }

    /// @dev One payment at a time, of `token`.
    modifier paying(address token) {
        if (_paying != address(0)) revert Reentered(_paying);
        _paying = token;
        _;
        _paying = address(0);
    }

    /* FEES */

    /// @inheritdoc ICore
    function recordFee(address token) external returns (uint256 amount, uint256 toT1, uint256 toT2) {
        if (token == _paying) revert Reentered(token);
        (, toT1, toT2) = _record(token);
        amount = toT1 + toT2;
    }

    /* PAYING OUT */

    /// @inheritdoc ICore
    function claimT2(address token) external paying(token) returns (uint256 amount) {
        (Line memory line,,) = _record(token);
        amount = line.t2;
        if (amount == 0) return 0;
        (address recipient,) = hub.settlement();

        _lines[token].t2 = 0;
        token.safeTransfer(recipient, amount);
        emit T2Claimed(token, recipient, amount);
    }

    /// @inheritdoc ICore
    function fundStakers() external paying(slu) returns (uint256 amount) {
        (Line memory line,,) = _record(slu);
        amount = line.t1;
        if (amount == 0) return 0;

        _lines[slu].t1 = 0;
        _fund(amount);
        emit StakersFunded(amount);
    }

    /// @inheritdoc ICore
    function buyT1(address token, uint256 maxPay, address recipient)
        external
        paying(token)
        returns (uint256 amount, uint256 paid)
    {
        if (token == slu) revert NotForSale(token);
        if (recipient == address(0) || recipient == address(this)) revert BadRecipient(recipient);
        (Line memory line,,) = _record(token);
        amount = line.t1;
        if (amount == 0) revert EmptyLot(token);
        paid = lotPrice(lotAge(line.bornAt, block.timestamp));
        if (paid > maxPay) revert PriceAboveMaximum(paid, maxPay);

        _lines[token].t1 = 0;
        slu.safeTransferFrom(msg.sender, address(this), paid);
        _fund(paid);
        // The only call here to what we do not know comes last.
        token.safeTransfer(recipient, amount);
        emit T1Sold(token, msg.sender, recipient, amount, paid);
    }

    /* READING */

    /// @inheritdoc ICore
    function ledger(address token) external view returns (uint256 t1, uint256 t2) {
        Line memory line = _lines[token];
        return (line.t1, line.t2);
    }

    /// @inheritdoc ICore
    function lot(address token) external view returns (uint256 amount, uint256 price) {
        if (token == slu) return (0, 0);
        Line memory line = _measure(token, _lines[token]);
        amount = line.t1;
        if (amount != 0) price = lotPrice(lotAge(line.bornAt, block.timestamp));
    }

    /* INTERNAL */

    /// @dev Brings the ledger up to what is held.
    function _record(address token) private returns (Line memory line, uint256 toT1, uint256 toT2) {
        Line memory before = _lines[token];
        line = _measure(token, before);
        if (line.t1 > before.t1 || line.t2 > before.t2) {
            (toT1, toT2) = (line.t1 - before.t1, line.t2 - before.t2);
            _lines[token] = line;
            emit FeeRecorded(token, toT1 + toT2, toT1, toT2);
        } else if (line.t1 < before.t1 || line.t2 < before.t2) {
            _lines[token] = line;
            emit LossRecorded(token, before.t1 - line.t1, before.t2 - line.t2);
        }
    }

    /// @dev What the line of the token would be if recorded now.
    function _measure(address token, Line memory line) private view returns (Line memory) {
        uint256 held = balanceOf(token, address(this));
        if (held > MAX_RECORDED) held = MAX_RECORDED;
        (uint256 t1, uint256 t2, uint256 bornAt) = (line.t1, line.t2, line.bornAt);
        uint256 recorded = t1 + t2;

        if (held > recorded) {
            uint256 toT1 = stakersPart(held - recorded);
            if (toT1 != 0) bornAt = rebornAt(bornAt, block.timestamp, t1, toT1);
            t1 += toT1;
            t2 = held - t1;
        } else if (held < recorded) {
            t1 = t1 * held / recorded;
            t2 = held - t1;
        }
        return Line({t1: uint104(t1), t2: uint104(t2), bornAt: uint48(bornAt)});
    }

    /// @dev Of the SLU held here. What Staking may take it takes at once, so that no allowance is left.
    function _fund(uint256 amount) private {
        slu.safeApproveWithRetry(address(staking), amount);
        staking.fund(amount);
    }
}
