import {
  coreBytecode,
  finderBytecode,
  hubBytecode,
  optimizerBytecode,
  pricerBytecode,
  quoterBytecode,
  routerBytecode,
  routerV2Bytecode,
  samplerBytecode,
  solverBytecode,
  stakingBytecode,
} from '@sluice/abi'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  getCreate2Address,
  type Hex,
  zeroHash,
} from 'viem'

/** The canonical deterministic deployer. It creates a contract with CREATE2 from the salt and code in its calldata. */
export const deterministicDeployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Name of a contract of the protocol. */
export type ContractName =
  | 'hub'
  | 'optimizer'
  | 'sampler'
  | 'finder'
  | 'pricer'
  | 'solver'
  | 'staking'
  | 'core'
  | 'router'
  | 'quoter'

/** A contract with its address and creation code. */
export type GenerationContract = {
  readonly name: ContractName
  readonly address: Address
  /** Constructor arguments. */
  readonly args: readonly Address[]
  /** Creation code with its constructor arguments. */
  readonly initCode: Hex
}

const salt = zeroHash

/**
 * The contracts of generation 1.0.0, in the order of their creation. Their addresses depend only on the deployer, so they
 * are the same on every chain. The deployer configures the Hub and hands it to its owner.
 */
export function contractsOf(deployer: Address): readonly GenerationContract[] {
  const shared = sharedOf(deployer)
  const router = contract('router', routerBytecode, [addressIn(shared, 'hub')])
  return [...shared, router, quoterOf(shared, router)]
}

/**
 * The contracts of generation 2.0.0, in the order of their creation. It shares the contracts that find and price routes with
 * 1.0.0. The addresses depend only on the deployer and the protocol's token.
 */
export function secondContractsOf(deployer: Address, slu: Address): readonly GenerationContract[] {
  const shared = sharedOf(deployer)
  const hub = addressIn(shared, 'hub')
  const staking = contract('staking', stakingBytecode, [slu])
  const core = contract('core', coreBytecode, [hub, staking.address])
  const router = contract('router', routerV2Bytecode, [hub, core.address])
  return [...shared, staking, core, router, quoterOf(shared, router)]
}

/** The contracts that all generations share. */
function sharedOf(deployer: Address): readonly GenerationContract[] {
  const hub = contract('hub', hubBytecode, [deployer])
  const optimizer = contract('optimizer', optimizerBytecode, [])
  const sampler = contract('sampler', samplerBytecode, [])
  const pricer = contract('pricer', pricerBytecode, [])
  const finder = contract('finder', finderBytecode, [sampler.address, pricer.address])
  const solver = contract('solver', solverBytecode, [
    hub.address,
    optimizer.address,
    pricer.address,
    finder.address,
  ])
  return [hub, optimizer, sampler, finder, pricer, solver]
}

function quoterOf(shared: readonly GenerationContract[], router: GenerationContract) {
  const finders = [addressIn(shared, 'hub'), addressIn(shared, 'solver')]
  return contract('quoter', quoterBytecode, [...finders, router.address])
}

function addressIn(contracts: readonly GenerationContract[], name: ContractName): Address {
  return contracts.find((each) => each.name === name)!.address
}

/** Calldata for the deterministic deployer. */
export function creationCall(initCode: Hex): Hex {
  return concatHex([salt, initCode])
}

/** Address of the contract that `creationCall` creates. */
export function creationAddress(initCode: Hex): Address {
  return getCreate2Address({ from: deterministicDeployer, salt, bytecode: initCode })
}

/** Creation code with its constructor arguments. */
export function creationOf(code: Hex, args: readonly Address[]): Hex {
  const parameters = args.map(() => ({ type: 'address' }) as const)
  return concatHex([code, encodeAbiParameters(parameters, args)])
}

/** Describes one contract. Constructors take only addresses. */
function contract(name: ContractName, code: Hex, args: readonly Address[]): GenerationContract {
  const initCode = creationOf(code, args)
  return { name, address: creationAddress(initCode), args, initCode }
}
