/** Checks that links between the repository's documents point to existing files and headings. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const link = /\]\(([^)\s]+)\)/g
const fence = /^ *```[\s\S]*?^ *```/gm
const heading = /^#+ +(.+)$/gm

/**
 * Returns broken links in Markdown files, one line each.
 *
 * @param paths Relative to `root`.
 */
export function checkLinks(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    linksOf(textOf(root, path))
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !isThere(root, path, target))
      .map((target) => `${path}: the link ${target} points to nothing`),
  )
}

function linksOf(text: string): string[] {
  return [...text.matchAll(link)].map(([, target]) => target!)
}

function isThere(root: string, from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : join(dirname(from), file)
  if (!existsSync(join(root, path))) return false
  if (anchor === undefined) return true
  return [...textOf(root, path).matchAll(heading)].some(([, title]) => anchorOf(title!) === anchor)
}

/** Converts a heading to its anchor, as GitHub does. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

function textOf(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8').replace(fence, '')
}
