// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Allowance} from "../libraries/Allowance.sol";
import {ask} from "../libraries/Answers.sol";
import {Payment} from "../libraries/Payment.sol";
import {Transfers} from "../libraries/Transfers.sol";
import {Adapter, Sale} from "./Adapter.sol";
import {SingleConverter} from "./SingleConverter.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice Sky's LitePSM. It trades its gem, such as USDC, against DAI.
interface ILitePsm {
    function gem() external view returns (address);
    function dai() external view returns (address);
    /// @dev Who keeps the gems.
    function pocket() external view returns (address);
    function to18ConversionFactor() external view returns (uint256);
    /// @dev Fee of `sellGem` in 1e-18 of the DAI bought; `type(uint256).max` if that is halted.
    function tin() external view returns (uint256);
    /// @dev Fee of `buyGem` in 1e-18 of the gems bought, in DAI; `type(uint256).max` if that is halted.
    function tout() external view returns (uint256);
    function sellGem(address usr, uint256 gemAmt) external returns (uint256 daiOutWad);
    function buyGem(address usr, uint256 gemAmt) external returns (uint256 daiInWad);
}

/// @title Sky's LitePSM
/// @notice The registry is the PSM. It sells whole base units of the gem, and `buyGem` takes the gems to buy: the rest of the DAI,
/// which is less than a unit of the gem costs, goes to the PSM, as in pools whose output is rounded down.
contract LitePsmAdapter is SingleConverter {
    uint256 private constant LEG_GAS = 130_000;
    uint256 private constant WAD = 1e18;
    uint256 private constant GEM = 0;

    constructor(address registry_, address) Adapter(registry_) {}

    function _tokenAt(uint256 place) internal view override returns (address) {
        if (place == GEM) return _getToken(ILitePsm.gem.selector);
        return place == 1 ? _getToken(ILitePsm.dai.selector) : address(0);
    }

    function _limitsOf(address pool, uint256 i, uint256 j) internal view override returns (uint256, uint256) {
        address holder = i == GEM ? pool : _addressAt(pool, GETTER_GAS, ILitePsm.pocket.selector);
        uint256 held = _word(_tokenAt(j), GETTER_GAS, abi.encodeCall(IERC20.balanceOf, (holder)));
        return (type(uint256).max, held);
    }

    function _preview(address pool, uint256 i, uint256, uint256 amountIn) internal view override returns (uint256) {
        (uint256 factor, uint256 fee) = _terms(pool, i);
        if (factor == 0) return 0;
        if (i == GEM) return amountIn * factor - amountIn * factor * fee / WAD;
        uint256 gems = amountIn * WAD / (factor * (WAD + fee));
        // The fee is rounded down, so that one more may be affordable.
        return _costOf(gems + 1, factor, fee) <= amountIn ? gems + 1 : gems;
    }

    function _gasOf(uint256) internal pure override returns (uint256) {
        return LEG_GAS;
    }

    function _convert(Sale memory sale, uint256 i, uint256 previewed) internal override {
        uint256 cost = sale.amountIn;
        if (i != GEM) {
            (uint256 factor, uint256 fee) = _terms(sale.pool, i);
            cost = _costOf(previewed, factor, fee);
        }
        Payment memory payment = Payment(sale.tokenIn, address(this), sale.pool, cost);
        Allowance.grant(payment, sale.pool);
        if (i == GEM) ILitePsm(sale.pool).sellGem(sale.to, cost);
        else ILitePsm(sale.pool).buyGem(sale.to, previewed);
        Allowance.demandUsedUp(payment, sale.pool, cost);
        if (cost != sale.amountIn) Transfers.send(sale.tokenIn, sale.pool, sale.amountIn - cost);
    }

    /// @dev Both zero if this direction is halted, or an answer is out of range.
    function _terms(address pool, uint256 i) private view returns (uint256 factor, uint256 fee) {
        bytes memory question = i == GEM ? abi.encodeCall(ILitePsm.tin, ()) : abi.encodeCall(ILitePsm.tout, ());
        uint256[] memory answer = ask(pool, GETTER_GAS, 1, question);
        if (answer.length == 0) return (0, 0);
        (factor, fee) = (_word(pool, GETTER_GAS, abi.encodeCall(ILitePsm.to18ConversionFactor, ())), answer[0]);
        if (fee > WAD || factor > WAD) return (0, 0);
    }

    /// @dev DAI that the module asks for `gems` base units of its stablecoin.
    function _costOf(uint256 gems, uint256 factor, uint256 fee) private pure returns (uint256) {
        return gems * factor + gems * factor * fee / WAD;
    }
}
