// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @notice How a development token treats its holders and readers.
enum Behaviour {
    Plain,
    /// Returns no data from `transfer`, `transferFrom` and `approve`, as USDT on Ethereum.
    NoReturn,
    /// Burns 2 % of every transfer.
    Taxed,
    /// Every transfer reverts.
    Paused,
    /// Every read and transfer burns all the gas it is given.
    BurnsGas,
    /// Every read and transfer answers with 256 KiB.
    HugeReturn
}

/// @title Token of the devnet
/// @notice Stands in for well-known tokens at their real addresses. Anyone may mint and change the behavior: it must
/// never stand on a chain where anything has a value.
/// @dev All state is written by `configure`, because the code is put in place without running a constructor.
contract DevToken {
    /// Taken from every transfer of a taxed token, in basis points.
    uint256 public constant TAX_BPS = 200;

    uint256 private constant HUGE_RETURN_BYTES = 256 * 1024;

    uint8 private _decimals;
    bool private _configured;
    Behaviour private _behaviour;
    string private _symbol;
    uint256 private _totalSupply;
    mapping(address holder => uint256) private _balances;
    mapping(address holder => mapping(address spender => uint256)) private _allowances;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    error AlreadyConfigured();
    error TransfersPaused();
    error InsufficientBalance(uint256 balance, uint256 needed);
    error InsufficientAllowance(uint256 allowance, uint256 needed);

    modifier hostile() {
        _misbehave();
        _;
    }

    function configure(string calldata symbol_, uint8 decimals_) external {
        if (_configured) revert AlreadyConfigured();
        _configured = true;
        _symbol = symbol_;
        _decimals = decimals_;
    }

    function setBehaviour(Behaviour behaviour_) external {
        _behaviour = behaviour_;
    }

    function mint(address to, uint256 value) external {
        _totalSupply += value;
        _balances[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external hostile {
        _allowances[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        _returnTrue();
    }

    function transfer(address to, uint256 value) external hostile {
        _move(msg.sender, to, value);
        _returnTrue();
    }

    function transferFrom(address from, address to, uint256 value) external hostile {
        uint256 allowed = _allowances[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < value) revert InsufficientAllowance(allowed, value);
            _allowances[from][msg.sender] = allowed - value;
        }
        _move(from, to, value);
        _returnTrue();
    }

    function behaviour() external view returns (Behaviour) {
        return _behaviour;
    }

    function name() external view hostile returns (string memory) {
        return _symbol;
    }

    function symbol() external view hostile returns (string memory) {
        return _symbol;
    }

    function decimals() external view hostile returns (uint8) {
        return _decimals;
    }

    function totalSupply() external view hostile returns (uint256) {
        return _totalSupply;
    }

    function balanceOf(address holder) external view hostile returns (uint256) {
        return _balances[holder];
    }

    function allowance(address holder, address spender) external view hostile returns (uint256) {
        return _allowances[holder][spender];
    }

    function _move(address from, address to, uint256 value) private {
        Behaviour current = _behaviour;
        if (current == Behaviour.Paused) revert TransfersPaused();
        uint256 balance = _balances[from];
        if (balance < value) revert InsufficientBalance(balance, value);
        uint256 tax = current == Behaviour.Taxed ? value * TAX_BPS / 10_000 : 0;
        _balances[from] = balance - value;
        _balances[to] += value - tax;
        emit Transfer(from, to, value - tax);
        if (tax == 0) return;
        _totalSupply -= tax;
        emit Transfer(from, address(0), tax);
    }

    /// Ends the call, since the presence of a return value depends on the behavior.
    function _returnTrue() private view {
        uint256 size = _behaviour == Behaviour.NoReturn ? 0 : 32;
        assembly ("memory-safe") {
            mstore(0, 1)
            return(0, size)
        }
    }

    function _misbehave() private view {
        if (_behaviour == Behaviour.BurnsGas) {
            assembly ("memory-safe") {
                invalid()
            }
        }
        if (_behaviour == Behaviour.HugeReturn) {
            assembly {
                return(0, HUGE_RETURN_BYTES)
            }
        }
    }
}
