/** Checks that a package's exports have docstrings. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const generated = /\/generated\//
const named = /^export (?:type )?\{([^}]*)\} from '(\.[^']*)\.js'/gm
const whole = /^export (?:type )?\*(?: as \w+)? from '(\.[^']*)\.js'/gm
const declared =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|type|interface) (\w+)(.*)/
/** A type derived from a value in the same file: the value has the docstring. */
const derived = /^ = (?:z\.infer<typeof|keyof |\(typeof )/

/**
 * Returns exported symbols of a package that have no docstring, one line each.
 *
 * @param folder Folder of the package; its entries are the `index.ts` files of `src`.
 */
export function checkDocstrings(root: string, folder: string): string[] {
  const entries = ['', 'verify', 'viem', 'undeployed']
    .map((name) => join(root, folder, 'src', name, 'index.ts'))
    .filter((path) => existsSync(path))
  const wanted = new Map<string, Set<string> | 'all'>()
  for (const path of entries) {
    const text = readFileSync(path, 'utf8')
    for (const [, names, target] of text.matchAll(named)) {
      const file = `${join(dirname(path), target!)}.ts`
      const known = wanted.get(file) ?? new Set()
      if (known !== 'all') for (const name of namesIn(names!)) known.add(name)
      wanted.set(file, known)
    }
    for (const [, target] of text.matchAll(whole))
      wanted.set(`${join(dirname(path), target!)}.ts`, 'all')
  }
  return [...wanted].flatMap(([path, names]) => {
    const shown = relative(root, path)
    if (generated.test(shown) || !existsSync(path)) return []
    return undocumentedIn(readFileSync(path, 'utf8'))
      .filter(({ name }) => names === 'all' || names.has(name))
      .map(({ line, name }) => `${shown}:${line}: \`${name}\` has no docstring`)
  })
}

function namesIn(list: string): string[] {
  const items = list.split(',').map((item) => item.trim().replace(/^type /, ''))
  return items.filter((item) => item !== '').map((item) => item.split(' as ')[0]!)
}

function undocumentedIn(text: string): { name: string; line: number }[] {
  const lines = text.split('\n')
  const documented = new Set<string>()
  return lines.flatMap((line, index) => {
    const [, name, rest] = declared.exec(line) ?? []
    if (name === undefined) return []
    if (lines[index - 1]?.trimEnd().endsWith('*/')) documented.add(name)
    // Overloads, and a type with the same name as a value, share one docstring.
    return documented.has(name) || derived.test(rest!) ? [] : [{ name, line: index + 1 }]
  })
}
