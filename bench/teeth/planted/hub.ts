import { bugsOf, type Planting } from '../planting.js'

export const hub: Planting = {
  set: 'hub',
  suites: ['Hub.t.sol', 'HubGovernance.t.sol', 'HubPools.t.sol'],
  bugs: bugsOf('Hub.sol', [
    // The timelock.
    ['TIMELOCK = 2 days', 'TIMELOCK = 1 days'],
    ['block.timestamp < ready', 'block.timestamp <= ready'],
    ['        if (ready == 0) revert ChangeNotScheduled(change);\n', ''],
    [
      '        delete readyAt[change];\n        emit ChangeCarriedOut(change);',
      '        emit ChangeCarriedOut(change);',
    ],
    ['block.timestamp > ready + GRACE', 'block.timestamp >= ready + GRACE'],
    ['bytes32 change = keccak256(msg.data)', 'bytes32 change = keccak256(abi.encode(msg.sig))'],
    ['        if (wrappedNative == address(0)) revert NotInitialized();\n', ''],
    // Permissions.
    [
      'addVenue(VenueConfig calldata config) external onlyOwner timelocked',
      'addVenue(VenueConfig calldata config) external onlyOwner',
    ],
    [
      'addPool(ListedPool calldata config) external onlyOwner timelocked',
      'addPool(ListedPool calldata config) external timelocked',
    ],
    [
      'addConnector(address token) external onlyOwner timelocked',
      'addConnector(address token) external onlyOwner',
    ],
    [
      'setFeeRecipient(address feeRecipient) external onlyOwner timelocked',
      'setFeeRecipient(address feeRecipient) external onlyOwner',
    ],
    ['schedule(bytes calldata call) external onlyOwner', 'schedule(bytes calldata call) external'],
    ['GRACE = 14 days', 'GRACE = 15 days'],
    ['RESUME_DELAY = 1 days', 'RESUME_DELAY = 2 days'],
    ['block.timestamp > ready + GRACE', 'block.timestamp >= ready + GRACE'],
    ['resume() external onlyOwner timelocked', 'resume() external timelocked'],
    ['resume() external onlyOwner timelocked', 'resume() external onlyOwner'],
    ['retire(uint256 generation) external onlyOwner', 'retire(uint256 generation) external'],
    ['setGuardian(address account) external onlyOwner', 'setGuardian(address account) external'],
    ['        delete readyAt[keccak256(abi.encodeCall(IHub.resume, ()))];\n', ''],
    ['        if (config.owner != address(0)) _transferOwnership(config.owner);\n', ''],
    ['        _setGuardian(config.guardian);\n', ''],
    ['cancel(bytes32 change) external onlyOwner', 'cancel(bytes32 change) external'],
    ['removeVenue(uint16 number) external onlyOwner', 'removeVenue(uint16 number) external'],
    ['removePool(uint16 number) external onlyOwner', 'removePool(uint16 number) external'],
    [
      'removeConnector(address token) external onlyOwner',
      'removeConnector(address token) external',
    ],
    ['        if (msg.sender != guardian) _checkOwner();\n', ''],
    [
      'initialize(Config calldata config) external onlyOwner',
      'initialize(Config calldata config) external',
    ],
    ['        if (wrappedNative != address(0)) revert AlreadyInitialized();\n', ''],
    // Stored values.
    ['        _venues[number].settings &= ~(1 << ENABLED_SHIFT);\n', ''],
    ['        _pools[number - 1].pool = address(0);\n', ''],
    ['            _connectors.pop();\n', ''],
    ['        _settlement = _settlement.withPaused(paused);\n', ''],
    ['        _settlement = _settlement.withRetired(generation);\n', ''],
    ['        _settlement = _settlement.withFeeRecipient(feeRecipient);\n', ''],
    // Rejected calls.
    ['        if (feeRecipient == address(0)) revert ZeroAddress();\n', ''],
    ['_connectors.length == MAX_CONNECTORS', '_connectors.length > MAX_CONNECTORS'],
    ['_listings.length == MAX_VENUES', '_listings.length > MAX_VENUES'],
    ['_pools.length == MAX_POOLS', '_pools.length > MAX_POOLS'],
    ['            if (_connectors[i] == token) revert DuplicateConnector(token);\n', ''],
    ['        if (id == config.id) return true;\n', ''],
    ['        if (!other.enabled) return false;\n', ''],
    ['config.id == 0 || ', ''],
    [' || !config.venue.enabled) return false', ') return false'],
    ['        if (config.venue.initCodeHash == 0) return false;\n', ''],
    ['config.venue.feePips >= WHOLE_PIPS', 'config.venue.feePips > WHOLE_PIPS'],
    ['config.tiers.length == 0 || ', ''],
    ['config.tiers[j].key == config.tiers[i].key', 'false'],
    // Listed pools.
    ['        if (listed.venue != venueNumber) return address(0);\n', ''],
    [
      'listed.tokens[sold] == tokenIn && listed.tokens[bought] == tokenOut',
      'listed.tokens[sold] == tokenIn',
    ],
    [
      'number == 0 || number > _pools.length) return address(0)',
      'number > _pools.length) return address(0)',
    ],
    [
      'if (config.tokens[i] == config.tokens[j]) return false',
      'if (config.tokens[i] == config.tokens[j]) return true',
    ],
    ['count < 2 || ', ''],
  ]),
}
