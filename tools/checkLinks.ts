/** Links between the repository's own documents, and whether what they point to is there. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const link = /\]\(([^)\s]+)\)/g
const fence = /^ *```[\s\S]*?^ *```/gm
const heading = /^#+ +(.+)$/gm

/**
 * What is wrong with the links of some Markdown files, in a line each.
 *
 * @param paths Named from `root`.
 */
export function checkLinks(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    linksOf(textOf(root, path))
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !isThere(root, path, target))
      .map((target) => `${path}: nothing is at ${target}`),
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

/** As GitHub makes it of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

function textOf(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8').replace(fence, '')
}
