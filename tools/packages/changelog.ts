/** A changelog in the format of Keep a Changelog. */
export type Changelog = {
  /** Text of `## Unreleased` without its heading. Empty if nothing has changed. */
  readonly unreleased: string
  /** Released versions, newest first. */
  readonly released: readonly string[]
}

const heading = /^## (?:\[?(\d+\.\d+\.\d+)\]? - \d{4}-\d{2}-\d{2}|Unreleased)$/

/**
 * Parses a changelog.
 *
 * @throws if a heading is neither `## Unreleased` nor `## 1.2.3 - 2026-01-31`, or if versions are not in descending order.
 */
export function parse(text: string): Changelog {
  const [, ...sections] = text.split(/^(?=## )/m)
  const parsed = sections.map((section) => {
    const [first = '', ...rest] = section.split('\n')
    const match = heading.exec(first)
    if (match === null) throw new Error(`"${first}" is not a heading of a changelog.`)
    return { version: match[1], body: rest.join('\n').trim() }
  })
  const released = parsed.flatMap(({ version }) => (version === undefined ? [] : [version]))
  released.forEach((version, index) => {
    const older = released[index + 1]
    if (older !== undefined && compare(version, older) <= 0)
      throw new Error(`Version ${version} is listed above ${older}.`)
  })
  const unreleased = parsed.find(({ version }) => version === undefined)?.body ?? ''
  return { unreleased, released }
}

/**
 * Returns the version that follows from unreleased changes by semantic versioning: the next major version if something
 * is removed or an entry starts with "Breaking", the next minor version if something is added, changed or deprecated,
 * otherwise the next patch. Returns the current version if it has not been released.
 *
 * @param changelogs The changelogs of packages that share one version.
 */
export function nextVersion(current: string, changelogs: readonly Changelog[]): string {
  if (!changelogs.some(({ released }) => released.includes(current))) return current
  const text = changelogs.map(({ unreleased }) => unreleased).join('\n')
  if (text.trim() === '') return current
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  if (/^### Removed$|^- \**Breaking/m.test(text)) return `${major + 1}.0.0`
  if (/^### (Added|Changed|Deprecated)$/m.test(text)) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

/**
 * Moves the unreleased changes below a heading of the version.
 *
 * @param date ISO date of the release.
 */
export function release(text: string, version: string, date: string): string {
  const { released, unreleased } = parse(text)
  if (released.includes(version)) throw new Error(`Version ${version} is already released.`)
  const body =
    unreleased === '' ? 'No changes; released together with the other packages.' : unreleased
  const [title = '', ...sections] = text.split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith('## Unreleased'))
  return [title, '## Unreleased\n\n', `## ${version} - ${date}\n\n${body}\n\n`, ...others]
    .join('')
    .replace(/\n+$/, '\n')
}

function compare(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const at = left!.findIndex((part, index) => part !== right![index])
  return at < 0 ? 0 : left![at]! - right![at]!
}
