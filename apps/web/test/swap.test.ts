import { encodeFunctionData, erc20Abi, formatUnits, getAddress, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, decline, finish, heldOn, type OpenOptions, openTrade } from './journey.js'
import { rpc, type ScriptedWallet } from './scriptedWallet.js'
import { inSheet, primary, ready, type Site, startSite, violations } from './site.js'

let site: Site

beforeAll(async () => {
  site = await startSite([8453, 1, 10, 42161])
})

afterAll(() => site?.stop())

const open = (query: string, options: OpenOptions = {}) => openTrade(site, query, options)
const held = (chainId: number, token: string, account: string) =>
  heldOn(site.devnet, chainId, token, account)
const tokenOn = (chainId: number, symbol: string) =>
  site.devnet.chains.find((each) => each.chainId === chainId)!.tokens[symbol]!

describe('the whole way', () => {
  const ways = [8453, 1, 10, 42161].flatMap((chainId) =>
    ['1.0.0', '2.0.0'].map((version) => [chainId, version] as const),
  )
  test.each(ways)(
    'default: chain %s, generation %s: the receipt is the quote',
    async (chainId, version) => {
      const amount = version === '1.0.0' ? '1234.5' : '2345.25'
      const { close, complaints, page, wallet } = await open(
        `chain=${chainId}&in=USDC&out=WETH&amount=${amount}&version=${version}`,
        {
          chainId: chainId === 8453 ? 1 : 8453,
        },
      )
      await connect(page)
      const name = await page.locator('select[name=chain] option:checked').textContent()
      await ready(page, `Switch to ${name}`)
      await primary(page).click()
      await ready(page, 'Approve USDC')
      await primary(page).click()
      await ready(page, 'Review swap')
      const weth = tokenOn(chainId, 'WETH')
      const before = await held(chainId, weth.address, wallet.account)
      const { delivered, quoted } = await finish(page)
      expect(delivered).toBe(`${quoted} exactly what was quoted`)
      const gained = (await held(chainId, weth.address, wallet.account)) - before
      expect(
        Math.abs(Number(formatUnits(gained, 18)) - Number(quoted.replace(' WETH', ''))),
      ).toBeLessThan(1e-6)
      // An approval of exactly the amount, then the swap: nothing else was signed, and all of it on this chain.
      const exact = parseUnits(amount, 6).toString(16).padStart(64, '0')
      expect(wallet.sent.map(({ data }) => data!.slice(0, 10))).toEqual([
        '0x095ea7b3',
        expect.any(String),
      ])
      expect(wallet.sent[0]!['data']!.slice(74)).toBe(exact)
      expect(new Set(wallet.sent.map((each) => Number(each['chainId'])))).toEqual(
        new Set([chainId]),
      )
      expect(complaints).toEqual([])
      await close()
    },
  )

  test('default: the native coin goes in with one signature and comes out with two', async () => {
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=3.25')
    await connect(page)
    await ready(page, 'Review swap')
    expect((await finish(page)).delivered).toContain('exactly what was quoted')
    expect(wallet.sent.map(({ value }) => BigInt(value!))).toEqual([parseUnits('3.25', 18)])
    await inSheet(page).click()
    await page.locator('.flipper').click()
    await page.locator('#amount').fill('1000')
    await ready(page, 'Approve USDC')
    await primary(page).click()
    await ready(page, 'Review swap')
    expect((await finish(page)).delivered).toContain('exactly what was quoted')
    expect(wallet.sent).toHaveLength(3)
    await close()
  })

  test('default: a wallet that makes several calls at once is asked once', async () => {
    const { close, page, wallet } = await open('chain=base&in=DAI&out=USDC&amount=321', {
      setUp: (each) => {
        each.batches = [8453]
      },
    })
    await connect(page)
    await ready(page, 'Review swap')
    expect((await finish(page)).delivered).toContain('exactly what was quoted')
    expect(await violations(page)).toEqual([])
    const signatures = wallet.asked.filter(({ method }) => method !== 'eth_requestAccounts')
    expect(signatures).toMatchObject([
      { method: 'wallet_sendCalls', params: [{ atomicRequired: true, calls: [{}, {}] }] },
    ])
    await close()
  })
})

describe('an approval by signature', () => {
  const methodsOf = (wallet: ScriptedWallet) =>
    wallet.asked.map(({ method }) => method).filter((name) => name !== 'eth_requestAccounts')

  test('default: a permit of the token and one transaction, and the receipt is the quote', async () => {
    const { close, complaints, page, wallet } = await open(
      'chain=base&in=SLU&out=USDC&amount=432.1',
    )
    await connect(page)
    await ready(page, 'Review swap')
    const slu = tokenOn(8453, 'SLU').address
    const before = await held(8453, slu, wallet.account)
    await primary(page).click()
    expect(await page.locator('dialog').textContent()).toContain('by signature')
    expect(await violations(page)).toEqual([])
    await inSheet(page).click()
    await page.locator('dialog h2', { hasText: 'Swapped' }).waitFor()
    expect(await page.locator('dialog .delivered').textContent()).toContain(
      'exactly what was quoted',
    )
    expect(methodsOf(wallet)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
    // What was signed: this amount, for the Router that the transaction is for, and nobody else.
    const amount = parseUnits('432.1', 18)
    const { domain, message, primaryType } = JSON.parse(String(wallet.asked.at(-2)!.params[1]))
    expect(primaryType).toBe('Permit')
    expect(getAddress(domain.verifyingContract)).toBe(getAddress(slu))
    expect(message).toMatchObject({ owner: wallet.account, spender: wallet.sent[0]!['to'] })
    expect(message.value).toBe(String(amount))
    expect(before - (await held(8453, slu, wallet.account))).toBe(amount)
    expect(complaints).toEqual([])
    await close()
  })

  test('default: Permit2 pays for a token that the account has allowed it, and the receipt is the quote', async () => {
    const weth = tokenOn(8453, 'WETH').address
    const { close, page, wallet } = await open('chain=base&in=WETH&out=USDC&amount=1.75')
    const { rpcUrl } = site.devnet.chains.find(({ chainId }) => chainId === 8453)!
    const allow = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: ['0x000000000022D473030F116dDEE9F6B43aC78BA3', parseUnits('1.75', 18)],
    })
    const send = (fields: object) =>
      rpc(rpcUrl, 'eth_sendTransaction', [{ from: wallet.account, to: weth, ...fields }])
    await send({ data: '0xd0e30db0', value: `0x${parseUnits('3', 18).toString(16)}` })
    await send({ data: allow })
    await connect(page)
    await ready(page, 'Review swap')
    const before = await held(8453, weth, wallet.account)
    expect((await finish(page)).delivered).toContain('exactly what was quoted')
    expect(methodsOf(wallet)).toEqual(['eth_signTypedData_v4', 'eth_sendTransaction'])
    const { message, primaryType } = JSON.parse(String(wallet.asked.at(-2)!.params[1]))
    expect(primaryType).toBe('PermitWitnessTransferFrom')
    expect(message.permitted.amount).toBe(String(parseUnits('1.75', 18)))
    expect(message.witness.recipient).toBe(wallet.account)
    expect(before - (await held(8453, weth, wallet.account))).toBe(parseUnits('1.75', 18))
    // The allowance is used up, so the next swap is paid by an approval.
    await inSheet(page).click()
    await page.locator('#amount').fill('0.5')
    await ready(page, 'Approve WETH')
    await close()
  })

  test('behavior: declined, it leads back to the review, and nothing was sent', async () => {
    const { close, page, wallet } = await open('chain=base&in=SLU&out=WETH&amount=44')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    await decline(page, wallet)
    expect(methodsOf(wallet)).toEqual(['eth_signTypedData_v4'])
    wallet.answering = 'sign'
    await page.getByRole('button', { name: 'Use a transaction instead' }).click()
    await ready(page, 'Approve SLU')
    expect(wallet.sent).toEqual([])
    await close()
  })

  test.each<[string, (wallet: ScriptedWallet) => void]>([
    [
      'a wallet that cannot sign it',
      (wallet) => {
        wallet.signsData = false
      },
    ],
    [
      'a signature that does not pay',
      (wallet) => {
        wallet.signature = `0x${'11'.repeat(64)}1b`
      },
    ],
    [
      'a signature of a contract account, which a permit does not take',
      (wallet) => {
        wallet.signature = `0x${'11'.repeat(130)}`
      },
    ],
  ])('behavior: %s is followed by an approval, with a plain sentence', async (_, setUp) => {
    const { close, page, wallet } = await open('chain=base&in=SLU&out=USDC&amount=55', { setUp })
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    await inSheet(page).click()
    await ready(page, 'Approve SLU')
    expect(await page.locator('.note.unsure').first().textContent()).toBe(
      'A signature does not work for this token and wallet, and nothing was sent. Approve the token instead.',
    )
    expect(wallet.sent).toEqual([])
    await primary(page).click()
    await ready(page, 'Review swap')
    expect((await finish(page)).delivered).toContain('exactly what was quoted')
    expect(methodsOf(wallet)).toEqual([
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'eth_sendTransaction',
    ])
    await close()
  })
})

describe('the button', () => {
  test('behavior: after another chain is chosen it does nothing for the old one', async () => {
    const { close, page, wallet } = await open('chain=base&in=USDC&out=WETH&amount=77')
    await connect(page)
    await ready(page, 'Approve USDC')
    expect(await violations(page)).toEqual([])
    await primary(page).click()
    await ready(page, 'Review swap')
    await page.locator('select[name=chain]').selectOption('42161')
    await ready(page, 'Switch to Arbitrum')
    expect(await violations(page)).toEqual([])
    await primary(page).click()
    await ready(page, 'Approve USDC')
    expect(wallet.sent).toHaveLength(1)
    await primary(page).click()
    await ready(page, 'Review swap')
    await finish(page)
    expect(wallet.sent.map(({ chainId }) => Number(chainId))).toEqual([8453, 42161, 42161])
    await close()
  })

  test('behavior: more than is held cannot be sent, and Max leaves the gas', async () => {
    const { close, page } = await open('chain=base&in=USDC&out=WETH&amount=900000000')
    await connect(page)
    await expect.poll(() => primary(page).textContent()).toBe('Insufficient USDC')
    expect(await violations(page)).toEqual([])
    expect(await primary(page).isEnabled()).toBe(false)
    await page.goto(`${site.url}/?chain=base&in=ETH&out=USDC&amount=1`)
    await page.locator('.max').click()
    const kept = await page.locator('#amount').inputValue()
    const url = site.devnet.chains[0]!.rpcUrl
    const all = BigInt(
      String(await rpc(url, 'eth_getBalance', [site.devnet.account.address, 'latest'])),
    )
    expect(all - parseUnits(kept, 18)).toBe(2_100_000_000_000_000n)
    await close()
  })

  test('behavior: a rejection is said in words for people, and the review stays', async () => {
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=2')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    await decline(page, wallet)
    expect(await violations(page)).toEqual([])
    expect(wallet.sent).toEqual([])
    await close()
  })

  test('behavior: a swap that the chain undoes is said with its reason, and the way back is open', async () => {
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=2')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    wallet.gas = '0x1d4c0'
    await inSheet(page).click()
    await page.locator('dialog h2', { hasText: 'It did not happen' }).waitFor()
    expect(await page.locator('dialog .note.bad').textContent()).toContain('ran out of gas')
    expect(await page.locator('dialog .facts-list').textContent()).toContain('You paidnothing')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page)).toEqual([])
    }
    await inSheet(page).click()
    await ready(page, 'Review swap')
    expect(await page.locator('#amount').inputValue()).toBe('2')
    await close()
  })

  test('behavior: a pending swap can be left alone; the form is empty and says that one is on the way', async () => {
    const url = site.devnet.chains[0]!.rpcUrl
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=2')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    await rpc(url, 'evm_setAutomine', [false])
    try {
      await inSheet(page).click()
      await page.locator('dialog h2', { hasText: 'On its way' }).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('dialog').count()).toBe(0)
      expect(await page.locator('#amount').inputValue()).toBe('')
      expect(await primary(page).textContent()).toBe('Enter an amount')
      expect(await page.locator('.notes').textContent()).toContain('is on the way')
      expect(await violations(page)).toEqual([])
    } finally {
      await rpc(url, 'evm_setAutomine', [true])
      await rpc(url, 'evm_mine', [])
    }
    await page.getByRole('button', { name: 'Activity, 0 pending' }).waitFor()
    expect(await page.locator('.notes').textContent()).toBe('')
    expect(wallet.sent).toHaveLength(1)
    await close()
  })

  test('behavior: the focus goes back to where a sheet was opened', async () => {
    const { close, page } = await open('chain=base&in=ETH&out=USDC&amount=2')
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document
        return activeElement?.getAttribute('aria-label') ?? activeElement?.className
      })
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.locator('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Settings')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).press('Enter')
    await page.locator('dialog h2', { hasText: 'Review your swap' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('primary')
    await close()
  })

  test('behavior: while the wallet is open the form is locked, and a reload says what may have happened', async () => {
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=2')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    wallet.answering = 'hold'
    await inSheet(page).click()
    await page.locator('dialog h2', { hasText: 'Your wallet is open' }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.locator('#amount').isDisabled()).toBe(true)
    expect(await page.locator('.tokenchip').first().isDisabled()).toBe(true)
    expect(await page.locator('select[name=chain]').isDisabled()).toBe(true)
    await page.reload()
    await page.locator('dialog h2', { hasText: 'What did your wallet do?' }).waitFor()
    expect(await violations(page)).toEqual([])
    await inSheet(page).click()
    wallet.answering = 'sign'
    await ready(page, 'Review swap')
    await close()
  })

  test('behavior: a pending swap survives a reload', async () => {
    const url = site.devnet.chains[0]!.rpcUrl
    const { close, page } = await open('chain=base&in=ETH&out=USDC&amount=2.5')
    await connect(page)
    await ready(page, 'Review swap')
    await rpc(url, 'evm_setAutomine', [false])
    try {
      await primary(page).click()
      await inSheet(page).click()
      await page.locator('dialog h2', { hasText: 'On its way' }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.locator('dialog .hashline code').textContent()).toMatch(/^0x[0-9a-f]{64}$/)
      await page.reload()
      await page.getByRole('button', { name: 'Activity, 1 pending' }).waitFor()
    } finally {
      await rpc(url, 'evm_setAutomine', [true])
      await rpc(url, 'evm_mine', [])
    }
    await page.getByRole('button', { name: 'Activity, 0 pending' }).click()
    await page.locator('.activity summary').first().click()
    await expect
      .poll(() => page.locator('.activity li').first().textContent())
      .toContain('exactly what was quoted')
    expect(await violations(page)).toEqual([])
    await close()
  })

  test('behavior: a price impact of four fifths wants words, not a click', async () => {
    const { close, page, wallet } = await open('chain=base&in=SLU&out=USDC&amount=90000000')
    await connect(page)
    await ready(page, 'Review swap')
    expect(await page.locator('.note.bad').first().textContent()).toContain('High price impact')
    await primary(page).click()
    expect(await inSheet(page).textContent()).toBe('Type “swap anyway” above')
    expect(await inSheet(page).isEnabled()).toBe(false)
    expect(await violations(page)).toEqual([])
    await page.locator('input[name=consent]').fill('swap anyway')
    await expect.poll(() => inSheet(page).textContent()).toBe('Confirm in wallet')
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
    await close()
  })

  test.each([
    ['LEVY', /takes 2 % of the output/, 'Approve LEVY'],
    ['HALT', /HALT refuses transfers now/, 'No route for this trade'],
  ])('behavior: %s is named before any approval', async (symbol, words, label) => {
    const { close, page, wallet } = await open(`chain=base&in=${symbol}&out=USDC&amount=100`)
    await connect(page)
    await expect.poll(() => page.locator('.notes').textContent()).toMatch(words)
    await expect.poll(() => primary(page).textContent()).toBe(label)
    expect(await violations(page)).toEqual([])
    expect(wallet.sent).toEqual([])
    await close()
  })

  test('behavior: it is one element for ever, clicks get through, and the focus stays', async () => {
    const url = site.devnet.chains[0]!.rpcUrl
    const { close, page } = await open('chain=base&in=ETH&out=USDC&amount=1.5')
    await connect(page)
    await ready(page, 'Review swap')
    await page.evaluate(() =>
      Object.assign(window, { kept: document.querySelector('.swapcard .primary') }),
    )
    const mining = setInterval(() => void rpc(url, 'evm_mine', []), 300)
    try {
      const blocks = new Set<string | null>()
      for (let click = 0; click < 15; click++) {
        await page.locator('.flipper').click()
        blocks.add(await page.locator('.freshness').textContent())
        await page.waitForTimeout(120)
      }
      expect(await page.locator('.tokenchip .symbol').first().textContent()).toBe('USDC')
      await page.locator('#amount').focus()
      await page.keyboard.type('2')
      await expect.poll(() => page.locator('.freshness').textContent()).toMatch(/^Block \d+/)
      await page.waitForTimeout(1_200)
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('amount')
      const isSame = await page.evaluate(
        () =>
          (window as never as { kept: Element }).kept ===
          document.querySelector('.swapcard .primary'),
      )
      expect(isSame).toBe(true)
    } finally {
      clearInterval(mining)
    }
    await close()
  })
})

describe('wallets', () => {
  test('behavior: one that comes late, or stands in the page without a word, is found', async () => {
    const late = await open('chain=base&in=ETH&out=USDC&amount=1', { isLate: true })
    await connect(late.page)
    await late.page.locator('dialog h2', { hasText: 'Connect a wallet' }).waitFor()
    expect(await violations(late.page)).toEqual([])
    await late.wallet.announce(late.page)
    await late.page.getByRole('button', { name: /Scripted Wallet/ }).click()
    await ready(late.page, 'Review swap')
    await late.close()
    const injected = await open('chain=base&in=ETH&out=USDC&amount=1', { isInjected: true })
    await injected.page.waitForTimeout(500)
    await connect(injected.page)
    await ready(injected.page, 'Review swap')
    await injected.close()
  })

  test('behavior: another account, another chain, a reload, a goodbye', async () => {
    const { close, page, wallet } = await open('chain=base&in=ETH&out=USDC&amount=1')
    await connect(page)
    await ready(page, 'Review swap')
    await primary(page).click()
    await page.locator('dialog').waitFor()
    await wallet.emit('chainChanged', '0x1')
    await ready(page, 'Switch to Base')
    await wallet.emit('chainChanged', '0x2105')
    await ready(page, 'Review swap')
    await page.reload()
    await ready(page, 'Review swap')
    await wallet.emit('accountsChanged', ['0x00000000000000000000000000000000000000b2'])
    await expect.poll(() => page.locator('.chip').textContent()).toContain('0x0000…00b2')
    await expect.poll(() => primary(page).textContent()).toBe('Insufficient ETH')
    await page.locator('.chip').click()
    await page.locator('dialog h2', { hasText: 'Your account' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await ready(page, 'Connect wallet')
    await close()
  })
})
