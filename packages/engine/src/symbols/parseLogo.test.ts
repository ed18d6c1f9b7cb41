import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseLogo } from './parseLogo.js'
import { parseTokenList } from './parseTokenList.js'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const digest = createHash('sha256').update(png).digest('hex').slice(0, 32)
const dataUri = `data:image/png;base64,${png.toString('base64')}`
const none = () => undefined

describe('parseLogo', () => {
  test('default: a data URI becomes a path of the service', () => {
    expect(parseLogo(dataUri, none)).toEqual({
      path: `/logos/${digest}.png`,
      type: 'image/png',
      bytes: png,
    })
  })

  test('default: a file beside the list', () => {
    const read: string[] = []
    const readFile = (path: string) => {
      read.push(path)
      return png
    }
    expect(parseLogo('logos/weth.png', readFile)?.path).toBe(`/logos/${digest}.png`)
    expect(read).toEqual(['logos/weth.png'])
  })

  test.each([
    'https://host.example/weth.png',
    '//host.example/weth.png',
    'ipfs://Qm',
    'file:///etc/passwd',
    '/etc/passwd',
    '../secrets/key.png',
    'logos/../../key.png',
    'logos\\key.png',
    '.env',
    '',
    7,
    null,
    undefined,
    `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`,
    `data:image/png;base64,${Buffer.from('<script>alert(1)</script>').toString('base64')}`,
    `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(70_000)]).toString('base64')}`,
  ])('error: reads and serves nothing for %s', (uri) => {
    const refuse = (path: string): never => {
      throw new Error(`read ${path}`)
    }
    expect(parseLogo(uri, refuse)).toBeUndefined()
  })

  test('error: a file that is no picture', () => {
    expect(parseLogo('key.png', () => Buffer.from('secret'))).toBeUndefined()
  })
})

test('behavior: a list has at most 500 pictures', () => {
  const token = { chainId: 1, symbol: 'A', name: 'A', decimals: 18, logoURI: dataUri }
  const tokens = Array.from({ length: 501 }, (_, index) => ({
    ...token,
    address: `0x${index.toString(16).padStart(40, '0')}`,
  }))
  const listed = parseTokenList({ name: 'list', tokens })
  expect(listed.map(({ logo }) => logo !== undefined).indexOf(false)).toBe(500)
  expect(listed).toHaveLength(501)
})
