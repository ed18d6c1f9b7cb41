import { Texts } from '@sluice/domain'

/** Maximum nesting depth of a body. */
export const maxJsonDepth = 8

/**
 * Checks a JSON text before it is parsed: deep nesting would block the parser, and of a member that an object names
 * twice, parsers silently keep the last.
 *
 * Looks only at strings and brackets, and leaves malformed texts to the parser.
 *
 * @returns Why the text is rejected, or `undefined`.
 */
export function scanJson(text: string, options: scanJson.Options = {}): string | undefined {
  const { maxDepth = maxJsonDepth } = options
  /** One entry for each open bracket: the member names of an object so far, or `undefined` for an array. */
  const open: (Set<string> | undefined)[] = []
  let isMemberNext = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      if (open.length > maxDepth) return `is nested more than ${maxDepth} levels deep`
      isMemberNext = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      isMemberNext = false
    } else if (char === ',') {
      isMemberNext = open.at(-1) !== undefined
    } else if (char === '"') {
      const end = endOfString(text, at)
      const members = open.at(-1)
      if (isMemberNext && members) {
        const name = memberName(text.slice(at, end + 1))
        if (members.has(name)) return `names the member "${Texts.shownName(name)}" twice`
        members.add(name)
        isMemberNext = false
      }
      at = end
    }
  }
  return undefined
}

export declare namespace scanJson {
  type Options = {
    /** @default maxJsonDepth */
    maxDepth?: number | undefined
  }
}

/** Index of the quotation mark that closes the string opened at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** The name with its escapes resolved, since `"a"` and `"\u0061"` are the same member. */
function memberName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
