import { type Address, type Hex, numberToHex, size } from 'viem'

/** A transaction to rehearse. */
export type Step = { readonly to: Address; readonly value: bigint; readonly data: Hex }

/** Result of a step. */
export type StepResult = {
  readonly isOk: boolean
  /** Gas used, before refunds and without the base cost of a transaction. */
  readonly gas: bigint
  /** Return or revert data, up to 512 bytes. */
  readonly answer: Hex
}

/** Calldata that starts a rehearsal. A call with another calldata size succeeds without effect. */
export const start: Hex = '0x72756e21'

const answerBytes = 512
/** Size of a step's result: words for success, gas and size, then the return data. */
const resultBytes = 96 + answerBytes
/** Gas limit of a step: the maximum of a transaction (EIP-7825). */
const stepGas = 16_777_216n

/**
 * Bytecode that makes the next transactions of an account, one after the other. A state override puts it at the sender's
 * address, so that every contract sees the sender as its caller. It is never deployed.
 *
 * It is generated, because it contains the steps. For each step it copies the data, reads the gas, makes the CALL, reads the
 * gas again, and stores the result.
 */
export function codeOf(steps: readonly Step[]): Hex {
  const blank = program(
    steps,
    steps.map(() => 0),
  )
  let offset = size(`0x${blank}`)
  const offsets = steps.map(({ data }) => {
    const at = offset
    offset += size(data)
    return at
  })
  return `0x${program(steps, offsets)}${steps.map(({ data }) => data.slice(2)).join('')}`
}

const op = {
  sub: '03',
  calldatasize: '36',
  eq: '14',
  codecopy: '39',
  returndatasize: '3d',
  mstore: '52',
  stop: '00',
  jumpi: '57',
  gas: '5a',
  jumpdest: '5b',
  swap1: '90',
  call: 'f1',
  return: 'f3',
} as const

function program(steps: readonly Step[], offsets: readonly number[]): string {
  const scratch = steps.length * resultBytes
  const guard = [op.calldatasize, '6004', op.eq, '6008', op.jumpi, op.stop, op.jumpdest].join('')
  const bodies = steps.map((step, index) => {
    const result = index * resultBytes
    const length = push(size(step.data))
    const to = `73${step.to.slice(2).toLowerCase()}`
    return [
      ...[length, push(offsets[index]!), push(scratch), op.codecopy, op.gas],
      ...[push(answerBytes), push(result + 96), length, push(scratch)],
      ...[word(step.value), to, word(stepGas), op.call, op.gas],
      ...[op.swap1, push(result), op.mstore],
      ...[op.swap1, op.sub, push(result + 32), op.mstore],
      ...[op.returndatasize, push(result + 64), op.mstore],
    ].join('')
  })
  return `${guard}${bodies.join('')}${push(scratch)}${push(0)}${op.return}`
}

/** PUSH3, so that every offset and size has the same length. */
function push(value: number): string {
  return `62${value.toString(16).padStart(6, '0')}`
}

/** PUSH32 */
function word(value: bigint): string {
  return `7f${numberToHex(value, { size: 32 }).slice(2)}`
}

/** Decodes the result of a rehearsal; `undefined` if it does not have `count` steps. */
export function read(data: Hex, count: number): readonly StepResult[] | undefined {
  if (size(data) !== count * resultBytes) return undefined
  return Array.from({ length: count }, (_, index): StepResult => {
    const at = (byte: number) => 2 + 2 * (index * resultBytes + byte)
    const wordAt = (byte: number) => BigInt(`0x${data.slice(at(byte), at(byte + 32))}`)
    const answered = wordAt(64)
    const length = answered > BigInt(answerBytes) ? answerBytes : Number(answered)
    const answer: Hex = `0x${data.slice(at(96), at(96 + length))}`
    return { isOk: wordAt(0) === 1n, gas: wordAt(32), answer }
  })
}
