import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRpc, DeployError, deployGeneration, parseChainConfig } from '@sluice/deploy'
import { Deployments } from '@sluice/domain'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../src/index.js'
import { clientOf, receiptOf, walletOf } from './clients.js'

const deployProgram = join(import.meta.dirname, '../../deploy/src/main.ts')
const optimism = join(import.meta.dirname, '../../deploy/chains/10.json')

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
    // The Optimizer has no owner in it and stands already; the other four and the wiring are sent.
    expect(first.transactions).toHaveLength(5)
    const blockNumber = await clientOf(chain!).getBlockNumber()
    const second = await deployGeneration(rpc, { config, key })
    expect(second).toEqual({ deployments: first.deployments, transactions: [] })
    expect(await clientOf(chain!).getBlockNumber()).toBe(blockNumber)
  })

  test('error: a Hub that is wired otherwise is left as it is', async () => {
    const rpc = createRpc(devnet.chains[0]!.rpcUrl)
    const wired = readJson(optimism)
    const key = await richKey()
    await deployGeneration(rpc, { config: parseChainConfig(wired), key })

    const [weth, ...others] = wired.connectorTokens
    const changed = {
      ...wired,
      usdc: weth.address,
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
        /^The Hub at 0x\w{40} is already wired, and otherwise than the config says/,
      ),
      `- usdc is ${wired.usdc} for good: put it into the config, or deploy with another owner.`,
      '- the owner calls schedule(0x…) and, after the timelock, setFeeRecipient(0x00000000000000000000000000000000000051ce); its call data is 0x…',
      `- the owner calls removeConnector(${weth.address}).`,
      '- the owner calls schedule(0x…) and, after the timelock, addConnector(0x4200000000000000000000000000000000000042); its call data is 0x…',
      '- the owner calls removeVenue(1), which is "uniswap-v2".',
      '- the owner calls schedule(0x…) and, after the timelock, addVenue for "uniswap-v2"; its call data is 0x…',
      // Listed pools name their venue by its number, and the numbers have moved.
      `- the owner calls removePool(1), which is ${wired.pools[0].address}.`,
      `- the owner calls schedule(0x…) and, after the timelock, addPool for ${wired.pools[0].address}; its call data is 0x…`,
    ])
  })

  test('error: an account without means', async () => {
    const rpc = createRpc(devnet.chains[0]!.rpcUrl)
    const options = { config: parseChainConfig(readJson(optimism)), key: generatePrivateKey() }
    await expect(deployGeneration(rpc, options)).rejects.toThrow(
      /^(eth_sendRawTransaction failed: |Could not finish the creation of the hub: )Insufficient funds/,
    )
  })
})

describe('the deploy program', () => {
  test('behavior: writes a file that the server reads, adding to what it holds', async () => {
    const out = join(folder, 'deployments.json')
    const held = Deployments.parse({
      schema: 1,
      chains: { 1: { ...devnet.deployments.chains[10]!, name: 'Held' } },
    })
    writeFileSync(out, JSON.stringify(held))
    const { stdout } = await deploy(['--out', out, '--key', await richKey()])
    expect(stdout).toContain('1.0.0 on Optimism (10)')
    expect(stdout).toContain('5 transactions sent')
    const file = Deployments.parse(readJson(out))
    expect(Object.keys(file.chains)).toEqual(['1', '10'])
    expect(file.chains[1]).toEqual(held.chains[1])
    expect(file.chains[10]!.versions['1.0.0']).not.toEqual(
      devnet.deployments.chains[10]!.versions['1.0.0'],
    )
  })

  test('error: the node is on another chain', async () => {
    const config = join(import.meta.dirname, '../../deploy/chains/1.json')
    const failure = await deploy(['--out', join(folder, 'none.json'), '--config', config]).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({
      code: 1,
      stderr: 'The config is for chain 1, but the node is on chain 10.\n',
    })
  })

  test('error: no node, and its address is not shown', async () => {
    const rpc = 'http://127.0.0.1:1/key-1234'
    const failure = await deploy(['--out', join(folder, 'none.json'), '--rpc', rpc]).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({
      code: 1,
      stderr:
        'The node did not answer eth_chainId. Check that it runs and that its address is right.\n',
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

function deploy(args: string[]) {
  const defaults = ['--rpc', devnet.chains[0]!.rpcUrl, '--config', optimism]
  return promisify(execFile)(process.execPath, [
    ...['--conditions=development', '--import', 'tsx', deployProgram],
    // A repeated option's last value counts.
    ...[...defaults, ...args],
  ])
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
