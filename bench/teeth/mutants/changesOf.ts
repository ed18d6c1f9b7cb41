/** A node of the compiler's syntax tree; `src` is `start:length:file`, in bytes. */
export type Node = { nodeType: string; src: string } & Record<string, unknown>
/** Replacement of a range of bytes. */
export type Change = { start: number; end: number; to: string }

type Range = readonly [start: number, end: number]

/** Replacements of each operator. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '|=': ['&='],
  '&=': ['|='],
  '<<=': ['>>='],
  '>>=': ['<<='],
}
/** Numbers up to this are changed by one. Larger ones are halved, because a change by one would not matter. */
const SMALL = 255n

/**
 * Returns the possible changes of operators, conditions, constants and statements in a file's syntax tree. Imports,
 * interfaces and assembly are not changed.
 */
export function changesOf(root: Node, text: Buffer): Change[] {
  const changes: Change[] = []
  visit(root)
  return changes

  function visit(value: unknown) {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    if (value.nodeType === 'InlineAssembly' || value['contractKind'] === 'interface') return
    changes.push(...own(value, text))
    // The length in an array type is not part of the program's logic.
    if (value.nodeType === 'ArrayTypeName') return
    for (const child of Object.values(value)) visit(child)
  }
}

function own(node: Node, text: Buffer): Change[] {
  const range = rangeOf(node)
  switch (node.nodeType) {
    case 'BinaryOperation':
      return operator(node, 'leftExpression', 'rightExpression', text)
    case 'Assignment':
      return node['operator'] === '=' ? [] : operator(node, 'leftHandSide', 'rightHandSide', text)
    case 'UnaryOperation':
      return node['operator'] === '!' ? [{ start: range[0], end: range[0] + 1, to: '' }] : []
    case 'Literal':
      return literal(node).map((to) => at(range, to))
    case 'Conditional':
      return ['trueExpression', 'falseExpression'].map((branch) =>
        at(range, textOf(rangeOf(node[branch] as Node), text)),
      )
    case 'IfStatement':
      return ['true', 'false'].map((to) => at(rangeOf(node['condition'] as Node), to))
    case 'WhileStatement':
      return [at(rangeOf(node['condition'] as Node), 'false')]
    case 'ExpressionStatement':
    case 'EmitStatement':
    case 'Break':
    case 'Continue':
      return isDeletable(node) ? [at([range[0], afterSemicolon(range[1], text)], '{}')] : []
    default:
      return []
  }
}

/** Whether a statement can be deleted. Not an increment, because it ends a loop. */
function isDeletable(node: Node): boolean {
  const expression = node['expression'] as Node | undefined
  return expression?.nodeType !== 'UnaryOperation'
}

function operator(node: Node, left: string, right: string, text: Buffer): Change[] {
  const [, start] = rangeOf(node[left] as Node)
  const [end] = rangeOf(node[right] as Node)
  const sign = node['operator'] as string
  const between = text.subarray(start, end).toString()
  const place = between.indexOf(sign)
  return (operators[sign] ?? []).map((to) => ({
    start: start + place,
    end: start + place + sign.length,
    to,
  }))
}

function literal(node: Node): string[] {
  if (node['kind'] === 'bool') return [node['value'] === 'true' ? 'false' : 'true']
  const value = String(node['value'])
  if (node['kind'] !== 'number' || node['subdenomination']) return []
  // An address, or a well-known constant.
  if (value.length >= 42) return []
  if (!/^(0x[0-9a-fA-F_]+|[0-9_]+)$/.test(value)) return [`(${value} / 2)`]
  const number = BigInt(value.replaceAll('_', ''))
  if (number === 0n) return ['1']
  return number <= SMALL ? [String(number + 1n)] : [String(number / 2n)]
}

function afterSemicolon(end: number, text: Buffer): number {
  return text.subarray(end, end + 1).toString() === ';' ? end + 1 : end
}

function at([start, end]: Range, to: string): Change {
  return { start, end, to }
}

function rangeOf({ src }: Node): Range {
  const [start, length] = src.split(':').map(Number) as [number, number]
  return [start, start + length]
}

function textOf([start, end]: Range, text: Buffer): string {
  return text.subarray(start, end).toString()
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeType' in value
}
