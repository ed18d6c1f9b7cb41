import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parameterNames, quoteParameters } from '@sluice/api'
import { type Devnet, startDevnet } from '@sluice/devnet'
import { startServer } from '@sluice/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flagOf, quoteFlags } from './flags.js'
import { programs } from './programs.js'
import { run } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
const file = (name: string) => join(folder, name)
let devnet: Devnet
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  devnet = await startDevnet({ port: 0, chainIds: [8453] })
  writeFileSync(file('deployments.json'), JSON.stringify(devnet.deployments))
  server = await startServer({
    // Off: a machine that is busy with other tests would look overloaded.
    maxLoopDelayMs: 0,
    port: 0,
    deployments: devnet.deployments,
    rpcUrls: new Map(devnet.chains.map(({ chainId, rpcUrl }) => [chainId, [rpcUrl]])),
    logLevel: 'silent',
    maxBlockAge: 'off',
    marketData: [{ kind: 'dexscreener', name: 'devnet', url: devnet.marketUrl }],
  })
})

afterAll(async () => {
  await server?.stop()
  await devnet?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function sluice(
  line: string | readonly string[],
  options: { isTty?: boolean; url?: string } = {},
) {
  let [stdout, stderr] = ['', '']
  const code = await run(typeof line === 'string' ? line.split(' ') : line, {
    stdout: (text) => {
      stdout += text
    },
    stderr: (text) => {
      stderr += text
    },
    isTty: options.isTty ?? false,
    env: { SLUICE_URL: options.url ?? server.url },
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  return { code, stderr, stdout, json: () => JSON.parse(stdout) }
}

const trade = '--chain base --in WETH --out USDC --amount-in 1500000000000000000'
const recipient = '0x00000000000000000000000000000000000A11cE'

describe('xray', () => {
  test('default: prints the API body as JSON, for flags given by position or by name', async () => {
    const { code, json } = await sluice('xray base MIRAGE')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ ok: true, summary: { verdict: 'phantom', phantomBps: 9_900 } })
    const named = await sluice(
      `xray --token ${devnet.chains[0]!.tokens['MIRAGE']!.address} --chain 8453`,
    )
    expect(named.json().summary).toEqual(json().summary)
  })

  test('default: prints a table on a terminal', async () => {
    const { stdout } = await sluice('xray base LEVY', { isTty: true })
    expect(stdout).toMatch(/^Chain +Base$/m)
    expect(stdout).toMatch(/^Phantom +0.00 %: real$/m)
    expect(stdout).toMatch(/^Compared +2 of 2 pools$/m)
    expect(stdout).toMatch(/^Tax +buy 2.00 %, sell 2.00 %, transfer 2.00 %$/m)
    expect(stdout).toMatch(/^POOL +DEX +REPORTED +ON CHAIN +PHANTOM +VERDICT$/m)
    const unread = await sluice('xray base USDC', { isTty: true })
    expect(unread.stdout).toMatch(
      /^0x[0-9a-f]{37}… +uniswap +\d+ USD +unknown +unknown +not comparable$/m,
    )
  })

  test('error: a missing argument, an extra argument, and an unknown symbol', async () => {
    expect((await sluice('xray base')).code).toBe(2)
    expect((await sluice('xray base MOSS more')).code).toBe(2)
    const { code, json } = await sluice('xray base NOSUCH')
    expect([code, json().code]).toEqual([2, 'unresolved'])
  })
})

describe('quote', () => {
  test('default: shows the token that a symbol was resolved to', async () => {
    const line = 'quote --chain base --in USDC --out MOSS --amount-in 1000000'
    const { stdout } = await sluice(line, { isTty: true })
    const { address } = devnet.chains[0]!.tokens['MOSS']!
    expect(stdout).toMatch(
      new RegExp(`^MOSS +means ${address}, with about \\d+ USD behind it$`, 'm'),
    )
  })

  test('default: prints the API body as JSON if stdout is not a terminal', async () => {
    const { code, json, stderr } = await sluice(`quote ${trade} --recipient ${recipient}`)
    expect([code, stderr]).toEqual([0, ''])
    expect(json()).toMatchObject({
      ok: true,
      amountIn: '1500000000000000000',
      amountOut: expect.stringMatching(/^\d+$/),
      tx: { value: '0' },
    })
  })

  test('default: prints a table on a terminal', async () => {
    const { code, stderr, stdout } = await sluice(`quote ${trade}`, { isTty: true })
    expect(code).toBe(0)
    expect(stderr).toBe('Looking for the best route …\r\u001b[2K')
    expect(stdout).toMatch(/^Chain {9}Base\nYou give {6}1\.5 WETH\nYou get {7}[\d.]+ USDC, after/)
    expect(stdout).toMatch(/\nFee {11}0\.28 %\n/)
    expect(stdout).toMatch(/\nExecutable {4}yes\n/)
    expect(stdout).toMatch(/\nRoute\n {2}1\. {2}WETH → USDC {2}\d+\.\d\d % {2,}0x/)
  })

  test('behavior: --explain shows what other routes would deliver, and why there is none', async () => {
    // A machine that is busy with other tests may not read everything in time at first.
    const quoted = async () => (await sluice(`quote ${trade} --explain`, { isTty: true })).stdout
    await expect
      .poll(quoted)
      .toMatch(
        /\nInstead\n {2}Best single pool +[\d.]+ USDC +\w[\s\S]+\nPools found +\d+\n[\s\S]+\nRepeat with +cast call 0x/,
      )
    const line = 'quote --chain base --in KELP --out USDC --amount-in 1 --explain'
    await expect
      .poll(async () => await sluice(line, { isTty: true }))
      .toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/\n {2}uniswap-v2 +0x\w{40} +1 → 0 +rounds_to_zero/),
      })
    const printed = async () => (await sluice(line)).json().explain.pools?.[0].verdict
    await expect.poll(printed).toBe('rounds_to_zero')
  })

  test.each([
    ['1.5 WETH', '1500000000000000000'],
    ['1.5 weth', '1500000000000000000'],
    ['2 token', '2000000000000000000'],
    ['7 base', '7'],
  ])('default: --amount "%s" has its unit, and is echoed', async (amount, amountIn) => {
    const line = ['prepare', '--chain', 'base', '--in', 'WETH', '--out', 'USDC', '--amount', amount]
    const { code, json } = await sluice(line)
    expect([code, json().request.amountIn]).toEqual([0, amountIn])
    expect(json().interpretation).toContain(`${amountIn} base units`)
  })

  test('default: --amount names the token, and its contract tells unknown decimals', async () => {
    const { json } = await sluice([
      'quote',
      '--chain',
      'base',
      '--amount',
      '1.5 WETH',
      '--out',
      'USDC',
    ])
    expect(json()).toMatchObject({
      amountIn: '1500000000000000000',
      interpretation: '1.5 WETH (1500000000000000000 base units, 18 decimals)',
    })
    const { address } = devnet.chains[0]!.tokens['MOSS']!
    const line = [
      'quote',
      '--chain',
      'base',
      '--in',
      address,
      '--amount',
      '2.5 token',
      '--out',
      'USDC',
    ]
    expect((await sluice(line)).json().amountIn).toBe('2500000000000000000')
    const { rpcUrl } = devnet.chains[0]!
    const own = ['--rpc', rpcUrl, '--deployments', file('deployments.json')]
    const viaNode = await sluice([...line, ...own], { url: 'http://127.0.0.1:1' })
    expect(viaNode.json().amountIn).toBe('2500000000000000000')
    const { stdout } = await sluice(line, { isTty: true })
    expect(stdout).toMatch(/^Read the amount as 2\.5 0x\w{40} \(2500000000000000000 base units, 18/)
  })

  test.each([
    ['2500 USDC', '2500000000'],
    ['2500 token', '2500000000'],
    ['2500000000 base', '2500000000'],
    ['2500000000', '2500000000'],
  ])('default: --amount-out "%s" is the output in its unit', async (amount, amountOut) => {
    const line = ['prepare', '--chain', 'base', '--in', 'WETH', '--out', 'USDC']
    const { code, json } = await sluice([...line, '--amount-out', amount])
    const { request } = json()
    expect([code, request.amountIn, request.amountOut]).toEqual([0, undefined, amountOut])
  })

  test('behavior: the unit of --amount-out names the token, and wrong units are refused', async () => {
    const line = ['quote', '--chain', 'base', '--in', 'WETH']
    const { json } = await sluice([...line, '--amount-out', '2500.5 USDC'])
    expect(json()).toMatchObject({
      exactOutput: { amountOut: '2500500000' },
      interpretation: '2500.5 USDC (2500500000 base units, 6 decimals)',
    })
    for (const [given, reason] of [
      [['--out', 'USDC', '--amount-out', '1 WETH'], 'The unit of --amount-out is WETH, and --out'],
      [['--out', 'USDC', '--amount-out', '1.0000001 USDC'], '--amount-out must be digits'],
      [['--amount-out', '5 base'], 'Missing: --out.'],
      [['--out', 'USDC', '--amount-out', '5', '--amount', '1 WETH'], 'exclude each other'],
    ] as const) {
      const refused = await sluice([...line, ...given])
      expect([refused.code, refused.json().error]).toEqual([2, expect.stringContaining(reason)])
    }
  })

  test.each([
    ['1.5', 'needs a unit'],
    ['1.5 USDC', 'The unit of --amount is USDC, and --in is WETH'],
    ['1.5 base', 'must be an integer'],
    ['1,5 WETH', 'must be digits'],
    ['0x1 token', 'must be digits'],
    ['1.0000000000000000001 WETH', '18 decimals'],
  ])('error: --amount "%s"', async (amount, reason) => {
    const line = ['quote', '--chain', 'base', '--in', 'WETH', '--out', 'USDC', '--amount', amount]
    const { code, json } = await sluice(line)
    expect([code, json().error]).toEqual([2, expect.stringContaining(reason)])
  })

  test('error: --amount with --amount-in, and human units of a symbol on no list', async () => {
    const both = await sluice([...`quote ${trade}`.split(' '), '--amount', '1 WETH'])
    expect([both.code, both.json().error]).toEqual([
      2,
      expect.stringContaining('exclude each other'),
    ])
    const unknown = await sluice([
      'quote',
      '--chain',
      'base',
      '--amount',
      '1 MOSS',
      '--out',
      'USDC',
    ])
    expect([unknown.code, unknown.json().error]).toEqual([
      2,
      expect.stringContaining('The decimals of MOSS are unknown'),
    ])
  })

  test('behavior: --rpc gives the same quote without the service', async () => {
    const { rpcUrl } = devnet.chains[0]!
    const own = `--rpc ${rpcUrl} --deployments ${file('deployments.json')}`
    const viaNode = await sluice(`quote ${trade} ${own}`, { url: 'http://127.0.0.1:1' })
    const viaService = await sluice(`quote ${trade}`)
    expect(viaNode.code).toBe(0)
    // Only the service names venues: it has read them from the Hub.
    const { legs, ...route } = viaService.json().route
    const unnamed = legs.map(({ feePips, kind, venueName, ...leg }: Record<string, unknown>) => leg)
    expect(viaNode.json().route).toEqual({ ...route, legs: unnamed })
    expect(viaNode.json().integrity).toMatchObject({ strict: true })
  })

  test('default: --overrides quotes on the state in a file, from the service and from a node', async () => {
    const { stdout } = await sluice(`quote ${trade} --include-sources uniswap-v2`)
    const pair = JSON.parse(stdout).route.legs.at(0).pool
    const slot = `0x${'8'.padStart(64, '0')}`
    writeFileSync(file('pending.json'), JSON.stringify({ [pair]: { stateDiff: { [slot]: slot } } }))
    const flags = `--overrides ${file('pending.json')}`
    const { code, json } = await sluice(`quote ${trade} ${flags}`)
    expect(code).toBe(0)
    expect(json()).toMatchObject({
      overrides: { accounts: 1, slots: 1 },
      quote: { canExecute: false },
    })
    const node = `--rpc ${devnet.chains[0]!.rpcUrl} --deployments ${file('deployments.json')}`
    const own = await sluice(`quote ${trade} --gas-price 0 ${flags} ${node}`)
    expect(own).toMatchObject({ code: 0 })
    expect(own.json().overrides).toEqual(json().overrides)
    const shown = await sluice(`quote ${trade} ${flags}`, { isTty: true })
    expect(shown.stdout).toMatch(/^Executable +no: The quote is for the state in `overrides`/m)
    writeFileSync(file('stated.json'), (await sluice(`quote ${trade} ${flags}`)).stdout)
    const repeat = `repeat --quote ${file('stated.json')} ${node}`
    expect((await sluice(`${repeat} ${flags}`)).json()).toMatchObject({ isSame: true })
    expect(await sluice(repeat)).toMatchObject({ code: 5 })
    const prepared = await sluice(`prepare ${trade} ${flags}`)
    expect(prepared.json().rpcRequest.params[2]).toHaveProperty(pair)
    const missing = await sluice(`quote ${trade} --overrides ${file('none.json')}`)
    expect(missing).toMatchObject({ code: 2, stdout: expect.stringContaining('not valid JSON') })
  })

  test('behavior: --json prints JSON on a terminal', async () => {
    const { json } = await sluice(`quote ${trade} --json`, { isTty: true })
    expect(json().ok).toBe(true)
  })
})

describe('prepare and decode', () => {
  test.each(['', ' --deployments FILE'])(
    'default: prepares and decodes a quote%s',
    async (here) => {
      const more = here.replace('FILE', file('deployments.json'))
      const prepared = await sluice(`prepare ${trade}${more}`)
      expect(prepared.code).toBe(0)
      writeFileSync(file('prepared.json'), prepared.stdout)
      const answer = await fetch(devnet.chains[0]!.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(prepared.json().rpcRequest),
      })
      const text = await answer.text()
      writeFileSync(file('answer.json'), text)
      const decode = `decode --request ${file('prepared.json')}${more}`
      const decoded = await sluice(`${decode} --result ${file('answer.json')}`)
      expect(decoded.code).toBe(0)
      const quoted = await sluice(`quote ${trade}`)
      expect(decoded.json().amountOut).toBe(quoted.json().amountOut)

      const { result } = JSON.parse(text) as { result: string }
      const tampered = await sluice(`${decode} --result ${result.slice(0, -1)}1`)
      expect(tampered.code).toBe(5)
      expect(tampered.json()).toMatchObject({ ok: false, code: 'bad_result' })
    },
  )

  test('behavior: a terminal shows the next two commands', async () => {
    const { stdout } = await sluice(`prepare ${trade}`, { isTty: true })
    expect(stdout).toContain("curl -s -H 'content-type: application/json'")
    expect(stdout).toContain('sluice decode --request prepared.json')
  })
})

describe('--version', () => {
  test('default: selects another generation, from the service and from a node', async () => {
    const { router } = devnet.deployments.chains['8453']!.versions['2.0.0']!
    const line = `quote ${trade} --recipient 0x00000000000000000000000000000000000A11CE --version 2`
    const served = await sluice(line)
    expect(served.json().tx.to).toBe(router)
    const node = `--rpc ${devnet.chains[0]!.rpcUrl} --deployments ${file('deployments.json')}`
    expect((await sluice(`${line} ${node}`)).json().tx.to).toBe(router)
    expect((await sluice(`${line}.0.1`)).json()).toMatchObject({ code: 'bad_version' })
  })
})

describe('deployments', () => {
  test('default: prints a row for each contract', async () => {
    const { stdout } = await sluice('deployments --chain base', { isTty: true })
    const { router } = devnet.deployments.chains['8453']!.versions['1.0.0']!
    expect(stdout).toMatch(/^VERSION {2}STATUS {2,}CHAIN {2}CONTRACT {2,}ADDRESS\n/)
    expect(stdout).toMatch(new RegExp(`\n1\\.0\\.0 .* 8453 +router +${router}\n`))
  })
})

describe('solvency', () => {
  test('default: prints a row for each generation, and the command that repeats the reading', async () => {
    const { code, stdout } = await sluice('solvency', { isTty: true })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^CHAIN +VERSION +STATUS +BLOCK +BACKING +OWED +RATIO\n/)
    expect(stdout).toMatch(/\nBase +1\.0\.0 +not_deployed +- +- +- +-/)
    expect(stdout).toMatch(/\nBase +2\.0\.0 +solvent +\d+ +[\d,.]+ SLU +[\d,.]+ SLU +100\.\d{4} %/)
    const { staking } = devnet.deployments.chains['8453']!.versions['2.0.0']!
    expect(stdout).toContain(`  cast call ${staking} 'solvency()`)
    expect((await sluice('solvency')).json()).toMatchObject({ ok: true, status: 'solvent' })
  })
})

describe('exit codes', () => {
  test.each([
    [2, 'usage', 'quote --chain base'],
    [2, 'usage', `quote ${trade} --slipage-bps 50`],
    [2, 'usage', 'swap'],
    [2, 'usage', `quote ${trade} --rpc http://127.0.0.1:1`],
    [2, 'bad_chain', 'quote --chain solana --in WETH --out USDC --amount-in 1'],
    [2, 'bad_amount_in', 'quote --chain base --in WETH --out USDC --amount-in 1.5'],
    [3, 'no_route', 'quote --chain base --in WETH --out USDC --amount-in 1'],
    [2, 'unresolved', 'quote --chain base --in NOSUCH --out USDC --amount-in 1'],
    [2, 'usage', `quote ${trade} --url nowhere`],
    [2, 'usage', `quote ${trade} --rpc http://127.0.0.1:1 --deployments package.json`],
    [4, 'network', `quote ${trade} --url http://127.0.0.1:1`],
  ])('error: exits with %i and %s for: %s', async (code, name, line) => {
    const result = await sluice(line)
    expect(result.code).toBe(code)
    expect(result.json()).toMatchObject({ ok: false, code: name, error: expect.any(String) })
  })

  test.each([
    ['quote --slipage-bps 50', "Unknown option '--slipage-bps'. See sluice quote --help."],
    [
      `quote ${trade} --rpc http://127.0.0.1:1 --deployments package.json`,
      'package.json is neither a deployments file written by `sluice deploy` nor a response of GET /api/manifest.',
    ],
    [
      'stats --url nowhere',
      '--url must be an http or https address, such as http://127.0.0.1:8080.',
    ],
    [
      'stats --url http://127.0.0.1:1',
      'The service could not be reached.\nStart the service with `npm start`, or name another with --url or SLUICE_URL.',
    ],
  ])('behavior: %s says what to do', async (line, message) => {
    const { stderr } = await sluice(line, { isTty: true })
    expect(stderr.split('\u001b[2K').at(-1)).toBe(`${message}\n`)
  })

  test('behavior: prints all members of an error of the service', async () => {
    const reason = 'must be a chain id or one of base, eth, optimism, arbitrum, robinhood'
    const { json } = await sluice('quote --chain solana --in WETH --out USDC --amount-in 1')
    expect(json()).toEqual({
      ok: false,
      code: 'bad_chain',
      error: `\`chain\` ${reason}.`,
      retryable: false,
      docs: `${server.url}/errors/bad_chain`,
      details: [{ field: 'chain', code: 'bad_chain', reason }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('behavior: prints the prepared call if the service does not quote live', async () => {
    const retired = await startServer({
      port: 0,
      deployments: devnet.deployments,
      rpcUrls: new Map([[8453, ['http://127.0.0.1:1']]]),
      logLevel: 'silent',
      quoteRelay: 'off',
    })
    try {
      const { code, json } = await sluice(`quote ${trade}`, { url: retired.url })
      expect(code).toBe(1)
      expect(json()).toMatchObject({
        code: 'rpc_required',
        hint: 'Use your own node: add --rpc URL --deployments FILE, or see sluice prepare --help.',
        prepared: { mode: 'prepare', rpcRequest: { method: 'eth_call' } },
      })
    } finally {
      await retired.stop()
    }
  })

  test('behavior: a terminal shows the message on stderr', async () => {
    const { stderr, stdout } = await sluice('swap', { isTty: true })
    expect([stdout, stderr]).toEqual(['', 'Unknown command "swap". See sluice --help.\n'])
  })
})

describe('help', () => {
  test.each(['quote', 'prepare', 'decode', 'deployments'])(
    'default: %s has examples',
    async (name) => {
      const { code, stdout } = await sluice(`${name} --help`)
      expect(code).toBe(0)
      expect(stdout).toContain(`\nExamples:\n  sluice ${name}`)
      expect(stdout).toContain('Exit codes:')
    },
  )

  test('default: the program prints the help and version of every command', () => {
    const main = fileURLToPath(new URL('main.ts', import.meta.url))
    const flags = ['--conditions=development', '--import', 'tsx', main]
    const start = (...args: string[]) =>
      spawnSync(process.execPath, [...flags, ...args], { encoding: 'utf8' })
    const { status, stdout } = start('--help')
    expect(status).toBe(0)
    for (const name of ['quote', 'prepare', 'decode', 'deployments', ...Object.keys(programs)])
      expect(stdout).toMatch(new RegExp(`\n  ${name} +[A-Z]`))
    expect(start('serve', '--help').stdout).toContain('RPC_<chainId>')
    expect(start('--version').stdout).toBe('1.0.0\n')
    for (const program of Object.keys(programs))
      expect(start(program, '--help').stdout).toMatch(/\n\nExamples:\n {2}/)
    expect(start('devnet', '--help').stdout).toContain('--block-time')
    expect(start('deploy', '--help').stdout).toContain('--config')
    const wrong = start('deploy', '--rpc', 'http://127.0.0.1:1')
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      'Missing: --config, --out. See npm run deploy -- --help.\n',
    ])
    expect(start('serve').stderr).toContain('Environment variable')
  })

  test('default: has a flag for each parameter of the API, with its description', () => {
    expect(Object.keys(quoteFlags)).toEqual(parameterNames.map(flagOf))
    for (const name of parameterNames) {
      const schema = quoteParameters.shape[name]
      expect(quoteFlags[flagOf(name)]).toMatchObject({
        help: expect.stringContaining(schema.description!),
        isRequired: !schema.safeParse(undefined).success,
      })
    }
  })
})
