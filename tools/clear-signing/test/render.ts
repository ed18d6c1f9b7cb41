import {
  type AbiFunction,
  type Address,
  decodeFunctionData,
  getAddress,
  type Hex,
  parseAbiItem,
  slice,
  toFunctionSelector,
} from 'viem'

/** The parts of an ERC-7730 descriptor that the renderer reads. */
export type Descriptor = {
  readonly display: { readonly formats: Readonly<Record<string, Format>> }
}

type Format = {
  readonly intent: string
  readonly interpolatedIntent?: string
  readonly fields: readonly Field[]
}

type Field = {
  readonly path: string
  readonly label: string
  readonly format: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly visible?: string | { readonly mustMatch: readonly string[] }
}

type Token = { readonly symbol: string; readonly decimals: number }

/** What a wallet knows besides the transaction. */
export type Wallet = { readonly coin: Token; readonly tokens: ReadonlyMap<Address, Token> }

/** What a wallet shows. */
export type Rendered = {
  readonly intent: string
  readonly lines: readonly (readonly [label: string, value: string])[]
}

/**
 * Renders a transaction as a wallet does that knows only the descriptor: it takes even the ABI from there.
 *
 * @throws if the descriptor has no format for the function.
 */
export function renderCall(
  descriptor: Descriptor,
  transaction: { data: Hex; value: bigint },
  wallet: Wallet,
): Rendered {
  const { data, value } = transaction
  for (const [key, format] of Object.entries(descriptor.display.formats)) {
    const item = parseAbiItem(`function ${key}` as 'function f()') as AbiFunction
    if (toFunctionSelector(item) !== slice(data, 0, 4)) continue
    const { args = [] } = decodeFunctionData({ abi: [item], data }) as { args?: readonly unknown[] }
    const members = item.inputs.map(({ name }, index) => [name, args[index]])
    const content = { ...Object.fromEntries(members), '@': { value } }
    const rendered = render(format, content, wallet)
    const inner = format.fields.find((field) => field.format === 'calldata')
    if (inner === undefined) return rendered
    // The call within the call, to the same contract with the same coin.
    if (inner.params!['calleePath'] !== '@.to' || inner.params!['amountPath'] !== '@.value')
      throw new Error('The call within the call is to another contract, or takes other coin.')
    const call = { data: valueAt(content, inner.path) as Hex, value }
    const { lines } = renderCall(descriptor, call, wallet)
    return { ...rendered, lines: [...rendered.lines, ...lines] }
  }
  throw new Error('No format for this function.')
}

/** Renders a signed message, with the format of its type. */
export function renderMessage(
  descriptor: Descriptor,
  encodedType: string,
  message: object,
  wallet: Wallet,
): Rendered {
  return render(descriptor.display.formats[encodedType]!, message, wallet)
}

function render(format: Format, content: object, wallet: Wallet): Rendered {
  const shown = new Map<string, string>()
  const lines: (readonly [string, string])[] = []
  for (const field of format.fields) {
    const { label, path, visible = 'always' } = field
    if (field.format === 'calldata') continue
    const value = valueAt(content, path)
    if (typeof visible === 'object') {
      if (!visible.mustMatch.includes(String(value)))
        throw new Error(`${path} must not be ${value}.`)
    } else if (visible === 'always') {
      const text = textOf(field, value, content, wallet)
      shown.set(path, text)
      lines.push([label, text])
    }
  }
  const intent = format.interpolatedIntent?.replaceAll(/\{([^}]+)\}/g, (_, path: string) => {
    const text = shown.get(path)
    if (text === undefined) throw new Error(`${path} is interpolated, but not shown.`)
    return text
  })
  return { intent: intent ?? format.intent, lines }
}

function valueAt(content: object, path: string): unknown {
  const value = path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], content)
  if (value === undefined) throw new Error(`There is nothing at ${path}.`)
  return value
}

function textOf(field: Field, value: unknown, content: object, wallet: Wallet): string {
  switch (field.format) {
    case 'amount':
      return amountText(BigInt(value as bigint), wallet.coin)
    case 'tokenAmount': {
      const address = getAddress(String(valueAt(content, String(field.params!['tokenPath']))))
      const token = wallet.tokens.get(address)
      const amount = BigInt(value as bigint)
      return token === undefined ? `${amount} of ${address}` : amountText(amount, token)
    }
    case 'addressName':
      return getAddress(String(value))
    case 'date':
      return new Date(Number(value) * 1_000).toISOString()
    case 'unit':
      return `${value} ${field.params!['base']}`
    case 'raw':
      return String(value)
    default:
      throw new Error(`Unknown format ${field.format}.`)
  }
}

function amountText(amount: bigint, { decimals, symbol }: Token): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const [whole, part] = [digits.slice(0, digits.length - decimals), digits.slice(-decimals)]
  const fraction = decimals === 0 ? '' : part.replace(/0+$/, '')
  return `${whole}${fraction && `.${fraction}`} ${symbol}`
}
