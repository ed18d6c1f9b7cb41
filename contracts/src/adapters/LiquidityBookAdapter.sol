// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ISampler} from "../interfaces/ISampler.sol";
import {ask, askAddress} from "../libraries/Answers.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {MAX_RATIO, MIN_RATIO} from "../math/Ratio.sol";
import {Line, MOST_IN, MOST_OUT, MOST_ROOT, narrowed} from "../math/StraightLine.sol";
import {SEGMENT_WORDS} from "../types/Market.sol";
import {VenueKind} from "../types/VenueKind.sol";
import {adapterKey} from "../venues/AdapterKey.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {ILBPair, LiquidityBookWords} from "./LiquidityBookWords.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

/// @notice What is called of the factory. A pair of tokens has a pool for each step.
interface ILBFactory {
    struct LBPairInformation {
        uint16 binStep;
        address LBPair;
        bool createdByOwner;
        bool ignoredForRouting;
    }

    function getAllLBPairs(address tokenX, address tokenY) external view returns (LBPairInformation[] memory);
    function getLBPairInformation(address tokenA, address tokenB, uint256 binStep)
        external
        view
        returns (LBPairInformation memory);
}

/// @title Liquidity Book's pairs of versions 2.1 and 2.2
/// @notice Each bin is a straight line, so that the curve is drawn as it is, bin by bin. A quote is what the pair itself says to pay.
/// @dev The factory creates pairs of code that its owner chose. So what they say is believed, but once for each curve the pair is asked
/// for what was drawn: the fees' formula may be another one in a later version.
contract LiquidityBookAdapter is Adapter {
    using LiquidityBookWords for uint256[];

    /// @dev How far a direction was drawn.
    struct Way {
        uint256 id;
        /// Bins that were looked at, the next one not counted.
        uint256 seen;
        /// Input and output that fill the bins so far, as the pair rounds.
        uint256 filledIn;
        uint256 filledOut;
    }

    /// @dev A bin as it is drawn, and the input that fills it.
    struct Bin {
        Line line;
        uint256 filledBy;
        bool isWhole;
    }

    /// @dev Bins that a leg may pass. More would cost more gas than they are worth, and a quote of them more than its limit.
    uint256 private constant MAX_BINS = 32;
    uint256 private constant ID_BITS = 24;
    uint256 private constant SEEN_BITS = 8;
    uint256 private constant Q128 = 1 << 128;
    /// @dev The factory's owner is trusted not to burn gas, and a pool that somebody names is not.
    uint256 private constant FACTORY_GAS = 300_000;
    uint256 private constant GETTER_GAS = 30_000;
    /// @dev Pairs among which those are looked for that are not ignored, and words of each in the factory's list, after an offset and
    /// a length.
    uint256 private constant MOST_LISTED = 16;
    uint256 private constant PAIR_WORDS = 4;
    uint256 private constant LIST = 2;
    /// @dev Gas that a leg adds to a swap, beside that of each bin; and what hooks are thought to take.
    uint256 private constant LEG_GAS = 85_000;
    uint256 private constant BIN_GAS = 15_000;
    uint256 private constant HOOK_GAS = 150_000;

    constructor(address registry_, address) Adapter(registry_) {}

    /// @inheritdoc ISampler
    function read(VenueKind, address, address, uint256 key) external view returns (uint256[] memory) {
        return LiquidityBookWords.read(key);
    }

    /// @inheritdoc ISampler
    function draw(VenueKind, uint256[] calldata state, bool zeroForOne, Stretch calldata stretch)
        external
        view
        returns (Drawing memory drawing)
    {
        bool forY = state.isForY(zeroForOne);
        Way memory way = _resume(state, stretch.cursor);
        drawing.segments = new uint256[](stretch.steps * SEGMENT_WORDS);
        drawing.open = true;
        uint256 count;
        while (drawing.open && count < stretch.steps) {
            uint256 reserve = _reserveOf(state, forY, way.id);
            uint256 end = type(uint256).max;
            if (reserve != 0) end = _drawBin(state, forY, way, reserve, drawing, count++);
            if (drawing.open) _goOn(state, forY, way, drawing);
            if (_isEnough(stretch, way, end)) break;
        }
        if (stretch.cursor == 0 && !_isBorneOut(state, forY, way, drawing.startRatio)) {
            Drawing memory nothing;
            return nothing;
        }
        drawing.cursor = way.filledIn << (ID_BITS + SEEN_BITS) | way.seen << ID_BITS | way.id;
        uint256[] memory segments = drawing.segments;
        assembly ("memory-safe") {
            mstore(segments, mul(count, SEGMENT_WORDS))
        }
    }

    /// @inheritdoc ISampler
    function quote(VenueKind, address, uint256[] calldata state, bool zeroForOne, uint256 amountIn)
        external
        view
        returns (uint256 amountOut, uint256 gas)
    {
        if (amountIn == 0 || amountIn > MOST_IN) return (0, 0);
        bool forY = state.isForY(zeroForOne);
        uint256 left;
        (left, amountOut,) = state.pairOf().getSwapOut(uint128(amountIn), forY);
        if (left != 0 || amountOut == 0 || amountOut > MOST_OUT || amountIn * amountOut > MOST_ROOT * MOST_ROOT) {
            return (0, 0);
        }
        uint256 bins = _binsOf(state, forY, amountOut);
        if (bins == 0) return (0, 0);
        gas = LEG_GAS + bins * BIN_GAS;
        if (state.isHooked()) gas += HOOK_GAS;
    }

    function _poolsOf(address token0, address token1) internal view override returns (address[] memory pools) {
        bytes memory question = abi.encodeCall(ILBFactory.getAllLBPairs, (token0, token1));
        uint256[] memory words = ask(registry, FACTORY_GAS, LIST + MOST_LISTED * PAIR_WORDS, question);
        pools = new address[](MAX_FOUND);
        uint256 count;
        for (uint256 at = LIST; at + PAIR_WORDS <= words.length && count < MAX_FOUND; at += PAIR_WORDS) {
            bool isIgnored = words[at + 3] != 0;
            if (!isIgnored && words[at + 1] >> 160 == 0) pools[count++] = address(uint160(words[at + 1]));
        }
        assembly ("memory-safe") {
            mstore(pools, count)
        }
    }

    /// @dev Of what a pool says of itself nothing counts before the factory has confirmed it.
    function _keyOf(address pool, address token0, address token1) internal view override returns (uint256) {
        uint256[] memory step = ask(pool, GETTER_GAS, 1, abi.encodeCall(ILBPair.getBinStep, ()));
        if (step.length == 0) return 0;
        bytes memory question = abi.encodeCall(ILBFactory.getLBPairInformation, (token0, token1, step[0]));
        uint256[] memory known = ask(registry, FACTORY_GAS, PAIR_WORDS, question);
        if (known.length != PAIR_WORDS || known[1] != uint160(pool)) return 0;
        uint256[] memory tokenX = ask(pool, GETTER_GAS, 1, abi.encodeCall(ILBPair.getTokenX, ()));
        if (tokenX.length == 0) return 0;
        return tokenX[0] == uint160(token0) ? adapterKey(pool, 0, 1) : adapterKey(pool, 1, 0);
    }

    function _tokensOf(address pool) internal view override returns (address[] memory tokens) {
        tokens = new address[](2);
        tokens[0] = askAddress(pool, GETTER_GAS, abi.encodeCall(ILBPair.getTokenX, ()));
        tokens[1] = askAddress(pool, GETTER_GAS, abi.encodeCall(ILBPair.getTokenY, ()));
    }

    /// @dev The pair sells all that it holds beyond its reserves, so that it takes what somebody gave to it as well.
    function _swap(Sale memory sale) internal override returns (uint256) {
        bool zeroForOne = _attest(sale);
        bool forY = zeroForOne == (sale.key == adapterKey(sale.pool, 0, 1));
        Transfers.send(sale.tokenIn, sale.pool, sale.amountIn);
        uint256 amounts = uint256(ILBPair(sale.pool).swap(forY, sale.to));
        return forY ? amounts >> 128 : uint128(amounts);
    }

    /* BINS */

    function _resume(uint256[] calldata state, uint256 cursor) private pure returns (Way memory way) {
        if (cursor == 0) {
            way.id = state[LiquidityBookWords.ACTIVE];
            return way;
        }
        way.id = uint24(cursor);
        way.seen = uint8(cursor >> ID_BITS);
        way.filledIn = cursor >> (ID_BITS + SEEN_BITS);
    }

    /// @dev To the next bin, or to the end of the curve.
    function _goOn(uint256[] calldata state, bool forY, Way memory way, Drawing memory drawing) private view {
        uint256 next = _nextOf(state, forY, way.id);
        if (next == 0 || ++way.seen == MAX_BINS) drawing.open = false;
        else way.id = next;
    }

    /// @dev Before anything is split, no bin is of use beyond all that the trade sells.
    function _isEnough(Stretch calldata stretch, Way memory way, uint256 end) private pure returns (bool) {
        if (way.filledIn < stretch.focus) return false;
        return stretch.until == 0 ? stretch.focus != 0 : end <= stretch.until;
    }

    /// @return end The price after it, as a ratio.
    function _drawBin(
        uint256[] calldata state,
        bool forY,
        Way memory way,
        uint256 reserve,
        Drawing memory drawing,
        uint256 place
    ) private view returns (uint256 end) {
        Bin memory bin = _binOf(state, forY, way.id, reserve);
        uint256 liquidity;
        uint256 start;
        (liquidity, start, end) = bin.line.segment();
        // Prices of no use may follow one that is, and pay no whole unit.
        if (drawing.startRatio == 0) drawing.startRatio = start;
        uint256 at = place * SEGMENT_WORDS;
        uint256[] memory segments = drawing.segments;
        (segments[at], segments[at + 1], segments[at + 2]) = (liquidity, start, end);
        (segments[at + 3], segments[at + 4]) = (bin.line.mostIn, bin.line.top);
        drawing.open = bin.isWhole;
        if (bin.isWhole) (way.filledIn, way.filledOut) = (way.filledIn + bin.filledBy, way.filledOut + reserve);
    }

    /// @dev The pair rounds each input of a bin up. The line is through what fills it before that, so that it is not below. It ends
    /// where quotes do.
    function _binOf(uint256[] calldata state, bool forY, uint256 id, uint256 reserve)
        private
        view
        returns (Bin memory bin)
    {
        uint256 price = state.pairOf().getPriceFromId(uint24(id));
        (uint256 numerator, uint256 denominator) = forY ? (Q128, price) : (price, Q128);
        uint256 fee = state.feeAt(id);
        uint256 kept = LiquidityBookWords.WHOLE_FEE - fee;
        uint256 net = FixedPointMathLib.fullMulDivUp(reserve, numerator, denominator);
        bin.line = _lineOf(reserve, FixedPointMathLib.fullMulDiv(reserve, numerator, denominator), kept);
        bin.isWhole = bin.line.top == reserve;
        // What is worth less than a unit has the price of one: no bin after it has a better one than that.
        if (net == 1) bin.line.top = FixedPointMathLib.max(reserve, FixedPointMathLib.divUp(denominator, numerator));
        if (bin.isWhole) bin.filledBy = net + FixedPointMathLib.fullMulDivUp(net, fee, kept);
    }

    /// @dev As much of a bin as can be drawn.
    /// @param net The input that is worth the reserve without a fee, rounded down.
    function _lineOf(uint256 reserve, uint256 net, uint256 kept) private pure returns (Line memory) {
        if (net > MOST_IN) return Line(MOST_IN, FixedPointMathLib.fullMulDivUp(reserve, MOST_IN, net));
        uint256 least = net * LiquidityBookWords.WHOLE_FEE / kept;
        uint256 most = FixedPointMathLib.min(FixedPointMathLib.max(least, 1), MOST_IN);
        uint256 drawn = narrowed(most, reserve, MOST_OUT);
        return drawn == least || least == 0
            ? Line(most, reserve)
            : Line(drawn, FixedPointMathLib.fullMulDivUp(reserve, drawn, least));
    }

    /// @dev Whether the pair itself pays for the bins that were drawn first what was drawn.
    function _isBorneOut(uint256[] calldata state, bool forY, Way memory way, uint256 startRatio)
        private
        view
        returns (bool)
    {
        if (startRatio < MIN_RATIO || startRatio > MAX_RATIO) return false;
        if (way.filledIn == 0 || way.filledIn > type(uint128).max) return true;
        (uint256 left, uint256 amountOut,) = state.pairOf().getSwapOut(uint128(way.filledIn), forY);
        return left == 0 && amountOut == way.filledOut;
    }

    /// @dev Bins that a swap takes an output from, at most; zero if they are too many.
    function _binsOf(uint256[] calldata state, bool forY, uint256 amountOut) private view returns (uint256 bins) {
        uint256 id = state[LiquidityBookWords.ACTIVE];
        uint256 reserve = _reserveOf(state, forY, id);
        for (bins = 1; reserve < amountOut; ++bins) {
            id = _nextOf(state, forY, id);
            if (id == 0 || bins == MAX_BINS) return 0;
            reserve += _reserveOf(state, forY, id);
        }
    }

    /// @dev What a bin holds of the token bought.
    function _reserveOf(uint256[] calldata state, bool forY, uint256 id) private view returns (uint256) {
        (uint256 ofX, uint256 ofY) = state.pairOf().getBin(uint24(id));
        return forY ? ofY : ofX;
    }

    /// @dev Zero if there is none.
    function _nextOf(uint256[] calldata state, bool forY, uint256 id) private view returns (uint256 next) {
        next = state.pairOf().getNextNonEmptyBin(forY, uint24(id));
        if (next == type(uint24).max) return 0;
    }
}
