import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hubAbi } from '@sluice/abi'
import { createRpc, DeployError, deployGeneration, parseChainConfig } from '@sluice/deploy'
import { Deployments } from '@sluice/domain'
import { type Address, encodeFunctionData, getAddress, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../src/index.js'
import { clientOf, receiptOf, walletOf } from './clients.js'

const deployProgram = join(import.meta.dirname, '../../deploy/src/main.ts')
const optimism = join(import.meta.dirname, '../../deploy/chains/10.json')

/** A key passed on the command line, which is not allowed; nobody uses its account. */
const leaked = `0x${'5ec2e7'.repeat(11).slice(0, 64)}`

let devnet: Devnet
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-deploy-'))
  devnet = await startDevnet({ port: 0, chainIds: [10] })
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

describe('deployGeneration on the devnet', () => {
  test('behavior: a key deploys for its owner; a second run sends nothing', async () => {
    const [chain] = devnet.chains
    const rpc = createRpc(chain!.rpcUrl)
    const config = parseChainConfig(readJson(optimism))
    const key = await richKey()

    const first = await deployGeneration(rpc, { config, key })
    // Contracts that do not depend on the owner are already deployed, but for the adapters of the real registries: eight. Four
    // contracts and the configuration are sent too.
    expect(first.transactions).toHaveLength(13)
    const blockNumber = await clientOf(chain!).getBlockNumber()
    const second = await deployGeneration(rpc, { config, key })
    const deployer = privateKeyToAddress(key)
    expect(first).toMatchObject({ deployer, owner: deployer })
    expect(second).toEqual({ ...first, transactions: [] })
    expect(await clientOf(chain!).getBlockNumber()).toBe(blockNumber)
  })

  test('behavior: the owner owns the Hub from the start, and the deployer has no power', async () => {
    const [chain] = devnet.chains
    const rpc = createRpc(chain!.rpcUrl)
    const key = await richKey()
    const [owner, guardian] = [addressOfNobody(1), addressOfNobody(2)]
    const config = parseChainConfig(readJson(optimism))
    const first = await deployGeneration(rpc, { config, key, owner, guardian })
    const deployer = privateKeyToAddress(key)
    expect(first).toMatchObject({ deployer, owner })

    const { hub } = first.deployments.chains[10]!.versions['1.0.0']!
    const read = (functionName: 'owner' | 'pendingOwner' | 'guardian' | 'settlement') =>
      clientOf(chain!).readContract({ address: hub, abi: hubAbi, functionName })
    expect(await read('owner')).toBe(owner)
    expect(await read('pendingOwner')).toBe(zeroAddress)
    expect(await read('guardian')).toBe(guardian)
    // The owner gets the fees if the config has no fee recipient.
    expect(await read('settlement')).toEqual([owner, false])
    const calls = [
      encodeFunctionData({ abi: hubAbi, functionName: 'pause' }),
      encodeFunctionData({ abi: hubAbi, functionName: 'retire', args: [1n] }),
      encodeFunctionData({ abi: hubAbi, functionName: 'removeVenue', args: [1] }),
      encodeFunctionData({ abi: hubAbi, functionName: 'schedule', args: ['0x046f7da2'] }),
      encodeFunctionData({ abi: hubAbi, functionName: 'transferOwnership', args: [deployer] }),
      encodeFunctionData({ abi: hubAbi, functionName: 'acceptOwnership' }),
    ]
    for (const data of calls)
      await expect(clientOf(chain!).call({ account: deployer, to: hub, data })).rejects.toThrow(
        /118cdaa7/,
      )

    // A second run changes nothing, with or without the owner given. Another owner is rejected, with what to do.
    const again = { ...first, transactions: [] }
    expect(await deployGeneration(rpc, { config, key, owner, guardian })).toEqual(again)
    expect(await deployGeneration(rpc, { config, key })).toEqual(again)
    const other = addressOfNobody(3)
    await expect(
      deployGeneration(rpc, { config, key, owner: other, guardian: other }),
    ).rejects.toMatchObject({
      code: 'WIRING_DIFFERS',
      message: [
        `The Hub at ${hub} is already configured and differs from the config. Nothing was changed. To make them equal:`,
        `- the owner, ${owner}, calls transferOwnership(${other}), and then ${other} calls acceptOwnership().`,
        `- the owner calls setGuardian(${other}).`,
      ].join('\n'),
    })
  })

  test('error: a Hub with another configuration is not changed', async () => {
    const rpc = createRpc(devnet.chains[0]!.rpcUrl)
    const wired = readJson(optimism)
    const key = await richKey()
    await deployGeneration(rpc, { config: parseChainConfig(wired), key })

    const [weth, ...others] = wired.connectorTokens
    const changed = {
      ...wired,
      feeRecipient: '0x00000000000000000000000000000000000051ce',
      connectorTokens: [...others, '0x4200000000000000000000000000000000000042'],
      venues: wired.venues.slice(1).concat({ ...wired.venues[0], feePips: 100 }),
    }
    const failure = await deployGeneration(rpc, { config: parseChainConfig(changed), key }).catch(
      (error: unknown) => error as DeployError,
    )
    expect(failure).toBeInstanceOf(DeployError)
    const { code, message } = failure as DeployError
    expect(code).toBe('WIRING_DIFFERS')
    expect(message.split('\n').map((line) => line.replace(/0x[0-9a-f]{64,}/g, '0x…'))).toEqual([
      expect.stringMatching(
        /^The Hub at 0x\w{40} is already configured and differs from the config/,
      ),
      '- the owner calls schedule(0x…) and, after the timelock, setFeeRecipient(0x00000000000000000000000000000000000051ce) with exactly this call data.',
      `- the owner calls removeConnector(${weth.address}).`,
      '- the owner calls schedule(0x…) and, after the timelock, addConnector(0x4200000000000000000000000000000000000042) with exactly this call data.',
      '- the owner calls removeVenue(1), which is "uniswap-v2".',
      '- the owner calls schedule(0x…) and, after the timelock, addVenue for "uniswap-v2" with exactly this call data.',
      // Listed pools refer to their venue by number, and the numbers have changed.
      `- the owner calls removePool(1), which is ${wired.pools[0].address}.`,
      `- the owner calls schedule(0x…) and, after the timelock, addPool for ${wired.pools[0].address} with exactly this call data.`,
    ])
  })

  test('error: a value that cannot change differs', async () => {
    const rpc = createRpc(devnet.chains[0]!.rpcUrl)
    const wired = readJson(optimism)
    const key = await richKey()
    await deployGeneration(rpc, { config: parseChainConfig(wired), key })
    const config = parseChainConfig({ ...wired, wrappedNative: wired.usdc })
    await expect(deployGeneration(rpc, { config, key })).rejects.toThrow(
      `- wrappedNative is ${wired.wrappedNative} and cannot change: use it in the config, or deploy from another account.`,
    )
  })

  test('error: the account has no funds', async () => {
    const rpc = createRpc(devnet.chains[0]!.rpcUrl)
    const options = { config: parseChainConfig(readJson(optimism)), key: generatePrivateKey() }
    await expect(deployGeneration(rpc, options)).rejects.toThrow(
      /^(eth_sendRawTransaction failed: |Could not finish the creation of the hub: )Insufficient funds/,
    )
  })
})

describe('the deploy program', () => {
  test('behavior: adds to a file that the server can read', async () => {
    const out = join(folder, 'deployments.json')
    const held = Deployments.parse({
      schema: 1,
      chains: { 1: { ...devnet.deployments.chains[10]!, name: 'Held' } },
    })
    writeFileSync(out, JSON.stringify(held))
    const key = await richKey()
    const keyFile = join(folder, 'deployer.key')
    writeFileSync(keyFile, `${key}\n`)
    const owner = addressOfNobody(4)
    const deployer = privateKeyToAddress(key)
    const { stderr, stdout } = await deploy([
      ...['--out', out, '--key-file', keyFile, '--owner', owner],
    ])
    expect(stdout).toContain('1.0.0 on Optimism (10)')
    expect(stdout).toContain(
      `Owner of the Hub: ${owner}. The deployer ${deployer} has no power over it.`,
    )
    expect(`${stdout}${stderr}`).not.toContain(key.slice(2, 20))
    expect(stdout).toContain('5 transactions sent')
    const file = Deployments.parse(readJson(out))
    expect(Object.keys(file.chains)).toEqual(['1', '10'])
    expect(file.chains[1]).toEqual(held.chains[1])
    expect(file.chains[10]!.versions['1.0.0']).not.toEqual(
      devnet.deployments.chains[10]!.versions['1.0.0'],
    )
  })

  test('behavior: does not print a key from the environment', async () => {
    const key = await richKey()
    const { stderr, stdout } = await deploy(['--out', join(folder, 'env.json')], {
      DEPLOY_KEY: key,
    })
    const deployer = privateKeyToAddress(key)
    expect(stdout).toContain(
      `Owner of the Hub: ${deployer}, the account that deployed it. Pass --owner to choose another one.`,
    )
    expect(`${stdout}${stderr}`).not.toContain(key.slice(2, 20))
  })

  test.each([
    [['--key', leaked], {}, 2, /^Other processes and logs can see a key on the command line/],
    [[`--key=${leaked}`], {}, 2, /^Other processes and logs can see a key on the command line/],
    [['--owner', '0x12'], {}, 2, /^--owner must be an address with a valid checksum/],
    [['--owner', zeroAddress], {}, 2, /^--owner must be an address with a valid checksum/],
    [['--key-file', '/nowhere'], {}, 1, /^The key file \/nowhere cannot be read \(ENOENT\)/],
    [['--key-file', optimism], {}, 1, /must contain a private key: 32 bytes in hex, with 0x/],
    [
      [],
      { DEPLOY_KEY: leaked.slice(4) },
      1,
      /^DEPLOY_KEY must contain a private key: 32 bytes in hex/,
    ],
    [['--key-file', 'x'], { DEPLOY_KEY: leaked }, 2, /^Pass --key-file or DEPLOY_KEY, not both/],
    [['--from', addressOfNobody(5)], { DEPLOY_KEY: leaked }, 2, /^Pass a key or --from, not both/],
    [['--from', addressOfNobody(5)], {}, 1, /^The node does not sign for 0x/],
  ])('error: accounts, %j %j', async (args, variables, code, message) => {
    const out = join(folder, 'none.json')
    const failure = await deploy(['--out', out, ...args], variables).catch((error) => error)
    expect(failure.code).toBe(code)
    expect(failure.stderr).toMatch(message)
    expect(`${failure.stdout}${failure.stderr}`).not.toContain(leaked.slice(4, 30))
  })

  test('error: the node serves another chain', async () => {
    const config = join(import.meta.dirname, '../../deploy/chains/1.json')
    const failure = await deploy(['--out', join(folder, 'none.json'), '--config', config]).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({
      code: 1,
      stderr: 'The config is for chain 1, but the node is on chain 10.\n',
    })
  })

  test("error: the node does not answer, and the message does not contain the node's URL", async () => {
    const rpc = 'http://127.0.0.1:1/key-1234'
    const failure = await deploy(['--out', join(folder, 'none.json'), '--rpc', rpc]).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({
      code: 1,
      stderr:
        'The node did not answer eth_chainId. Check that it runs and that its URL is correct.\n',
    })
  })
})

/** A new account with ten Ether. */
async function richKey() {
  const [chain] = devnet.chains
  const key = generatePrivateKey()
  const hash = await walletOf(devnet, chain!).sendTransaction({
    to: privateKeyToAddress(key),
    value: parseEther('10'),
  })
  await receiptOf(clientOf(chain!), hash)
  return key
}

function deploy(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const defaults = ['--rpc', devnet.chains[0]!.rpcUrl, '--config', optimism]
  return promisify(execFile)(
    process.execPath,
    [
      ...['--conditions=development', '--import', 'tsx', deployProgram],
      // If an option is repeated, its last value counts.
      ...[...defaults, ...args],
    ],
    { env: { ...process.env, ...variables } },
  )
}

function addressOfNobody(index: number): Address {
  return getAddress(`0x${(0xab00 + index).toString(16).padStart(40, '0')}`)
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
