import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const item = /^ {0,4}(function|event|error|struct|enum|interface|type)\s+(\w+)/

/**
 * Returns every function, event, error, struct and interface in contracts/src/interfaces that has no `@notice`, one line
 * each. The interfaces are the documentation.
 */
export function checkNatspec(root: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.startsWith('contracts/src/interfaces/') && path.endsWith('.sol'))
    .flatMap((path) => checkFile(path, readFileSync(join(root, path), 'utf8').split('\n')))
}

function checkFile(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    const found = item.exec(line)
    if (!found) return []
    const [, sort, name] = found
    if (noticeAbove(lines, index)) return []
    return [`${path}:${index + 1}: ${sort} ${name} has no @notice`]
  })
}

/** Whether the comment directly above a line has a `@notice`. */
function noticeAbove(lines: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const line = lines[at]!.trim()
    if (!line.startsWith('///')) return false
    if (line.startsWith('/// @notice ') || line.startsWith('/// @title ')) return true
  }
  return false
}
