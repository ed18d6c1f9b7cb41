/**
 * ERC-7730 descriptors: how a wallet shows calls of a Router to the person who signs them. Generated from the ABI, so that
 * an entry of the contract cannot be missing.
 */

export type AbiParameter = {
  readonly name: string
  readonly type: string
  readonly components?: readonly AbiParameter[]
}

export type AbiFunction = {
  readonly type: string
  readonly name?: string
  readonly stateMutability?: string
  readonly inputs?: readonly AbiParameter[]
}

/** A value that the wallet shows or hides. */
export type Field = {
  readonly path: string
  readonly label: string
  readonly format: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly visible: 'always' | 'never'
}

export type Format = {
  readonly $id: string
  readonly intent: string
  readonly interpolatedIntent?: string
  readonly fields: readonly Field[]
}

export type Deployment = { readonly chainId: number; readonly address: string }

export type Descriptor = ReturnType<typeof describeContract>

/** Schema in the registry of descriptors, relative to a descriptor there. */
const $schema = '../../specs/erc7730-v2.schema.json'

/** Intents of functions; those of others are their names. */
const intents: Readonly<Record<string, string>> = {
  swapExactIn: 'Swap',
  swapExactInNative: 'Swap',
  swapExactInForNative: 'Swap',
  swapExactInWithPermit: 'Swap',
  swapExactInWithPermit2: 'Swap',
  swapWithIntegratorFee: 'Swap, and pay an integrator',
  setSettings: 'Set the settings of venues',
}

/**
 * Returns the descriptor of a contract, with a format for each function that a transaction can call.
 *
 * @param options.deployments Where the contract is deployed. A wallet uses the descriptor only there.
 */
export function describeContract(
  abi: readonly AbiFunction[],
  options: { contractName: string; deployments?: readonly Deployment[] },
) {
  const { contractName, deployments = [] } = options
  const functions = abi.filter(
    ({ stateMutability, type }) =>
      type === 'function' && stateMutability !== 'view' && stateMutability !== 'pure',
  )
  return {
    $schema,
    context: { $id: contractName, contract: { deployments } },
    metadata: { owner: 'Sluice', contractName },
    display: {
      formats: Object.fromEntries(functions.map((each) => [signatureOf(each), formatOf(each)])),
    },
  } as const
}

/** Signature of a function with the names of its parameters: key of its format. */
export function signatureOf({ inputs = [], name = '' }: AbiFunction): string {
  return `${name}(${inputs.map(parameterOf).join(', ')})`
}

function parameterOf({ components = [], name, type }: AbiParameter): string {
  return `${type.replace('tuple', `(${components.map(parameterOf).join(', ')})`)} ${name}`
}

function formatOf(item: AbiFunction): Format {
  const { inputs = [], name = '', stateMutability } = item
  const fields = [
    // A call within the call shows the coin that it takes.
    ...(stateMutability === 'payable' && name !== 'swapWithIntegratorFee' ? [nativeInput] : []),
    ...inputs.flatMap((input) => leavesOf(input)).map((path) => fieldOf(path, name)),
  ]
  const shown = (label: string) => fields.find((field) => field.label === label)?.path
  const [sent, received] = [shown(labels.send), shown(labels.receive)]
  return {
    $id: name,
    intent: intents[name] ?? name,
    ...(sent !== undefined &&
      received !== undefined && {
        interpolatedIntent: `Swap {${sent}} for at least {${received}}`,
      }),
    fields: [...fields.filter(isShown), ...fields.filter((field) => !isShown(field))],
  }
}

const labels = {
  send: 'Send',
  receive: 'Receive at least',
  integrator: 'Integrator',
  integratorFee: 'Integrator fee',
} as const

function isShown({ visible }: Field): boolean {
  return visible === 'always'
}

const nativeInput: Field = {
  path: '@.value',
  label: labels.send,
  format: 'amount',
  visible: 'always',
}

/** Paths of a parameter's values. Arrays are one value. */
function leavesOf({ components, name, type }: AbiParameter, parent = ''): string[] {
  const path = `${parent}${name}`
  if (type !== 'tuple' || components === undefined) return [path]
  return components.flatMap((component) => leavesOf(component, `${path}.`))
}

/**
 * Values that need no decision of the signer. The Router checks the tokens of the route, the amounts in it are those of
 * the quote, and a signature binds itself.
 */
const hidden = /^(route\..+|permit\.(v|r|s|nonce|signature))$/

function fieldOf(path: string, functionName: string): Field {
  if (hidden.test(path)) return { path, label: path, format: 'raw', visible: 'never' }
  const shown = { path, visible: 'always' } as const
  switch (path.split('.').at(-1)) {
    case 'amountIn':
      return { ...shown, label: labels.send, ...tokenAmount('route.tokenIn') }
    case 'minOut':
      return functionName === 'swapExactInForNative'
        ? { ...shown, label: labels.receive, format: 'amount' }
        : { ...shown, label: labels.receive, ...tokenAmount('route.tokenOut') }
    case 'recipient':
      return { ...shown, label: 'Recipient', ...addressName }
    case 'owner':
      return { ...shown, label: 'Paid by', ...addressName }
    case 'integrator':
      return { ...shown, label: labels.integrator, ...addressName }
    case 'integratorFeeBps':
      return { ...shown, label: labels.integratorFee, ...basisPoints }
    case 'swap':
      return {
        ...shown,
        label: 'Swap',
        format: 'calldata',
        params: { calleePath: '@.to', amountPath: '@.value', spenderPath: '@.to' },
      }
    case 'deadline':
      return { ...shown, label: 'Expires', format: 'date', params: { encoding: 'timestamp' } }
    default:
      return { ...shown, label: path, format: 'raw' }
  }
}

function tokenAmount(tokenPath: string) {
  return { format: 'tokenAmount', params: { tokenPath } }
}

const addressName = {
  format: 'addressName',
  params: { types: ['wallet', 'eoa', 'contract'], sources: ['local', 'ens'] },
}

const basisPoints = { format: 'unit', params: { base: 'bps', decimals: 0 } }

/** Permit2's message for a swap, as EIP-712 encodes its type: key of its format. */
export const permit2Message = messageWith('')
/** The same if an integrator takes a part of the output. */
export const permit2FeeMessage = messageWith(',address integrator,uint256 integratorFeeBps')

function messageWith(more: string): string {
  return (
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,SwapWitness witness)' +
    `SwapWitness(bytes32 routeHash,address recipient,uint256 minOut${more})TokenPermissions(address token,uint256 amount)`
  )
}

const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/**
 * Returns the descriptor of the message that pays for a swap with Permit2. The message has no output token, so the minimum
 * is shown in base units.
 *
 * @param routers Routers of 2.0.0, on which the message may be used. If there are any, a wallet refuses another spender.
 */
export function describePermit2(routers: readonly Deployment[] = []) {
  const addresses = [...new Set(routers.map(({ address }) => address))]
  const spender =
    addresses.length > 0
      ? { format: 'raw', visible: { mustMatch: addresses } }
      : { ...addressName, visible: 'always' }
  const format = {
    $id: 'PermitWitnessTransferFrom',
    intent: 'Swap',
    fields: [
      {
        path: 'permitted.amount',
        label: labels.send,
        ...tokenAmount('permitted.token'),
        visible: 'always',
      },
      {
        path: 'witness.minOut',
        label: `${labels.receive}, in base units`,
        format: 'raw',
        visible: 'always',
      },
      { path: 'witness.recipient', label: 'Recipient', ...addressName, visible: 'always' },
      { path: 'spender', label: 'Spender', ...spender },
      {
        path: 'deadline',
        label: 'Expires',
        format: 'date',
        params: { encoding: 'timestamp' },
        visible: 'always',
      },
      ...['nonce', 'witness.routeHash'].map((path) => ({
        path,
        label: path,
        format: 'raw',
        visible: 'never',
      })),
    ],
  }
  const fee = [
    {
      path: 'witness.integrator',
      label: labels.integrator,
      ...addressName,
      visible: 'always',
    },
    {
      path: 'witness.integratorFeeBps',
      label: labels.integratorFee,
      ...basisPoints,
      visible: 'always',
    },
  ]
  const feeFormat = {
    ...format,
    $id: 'PermitWitnessTransferFrom with a fee',
    intent: intents['swapWithIntegratorFee'],
    fields: [...format.fields, ...fee],
  }
  const chainIds = routers.map(({ chainId }) => chainId)
  return {
    $schema,
    context: {
      $id: 'Sluice swap by Permit2',
      eip712: {
        domain: { name: 'Permit2' },
        deployments: chainIds.map((chainId) => ({ chainId, address: permit2Address })),
      },
    },
    metadata: { owner: 'Sluice', contractName: 'Permit2' },
    display: { formats: { [permit2Message]: format, [permit2FeeMessage]: feeFormat } },
  }
}
