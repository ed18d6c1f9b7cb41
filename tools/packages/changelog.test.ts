import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as Changelog from './changelog.js'
import { names, root } from './published.js'

const text = `# Changelog

Words.

## Unreleased

### Added

- A thing.

## 1.1.0 - 2026-02-01

### Added

- Another thing.

## 1.0.0 - 2026-01-01

First release.
`

describe('parse', () => {
  test('default: unreleased changes and released versions', () => {
    expect(Changelog.parse(text)).toEqual({
      unreleased: '### Added\n\n- A thing.',
      released: ['1.1.0', '1.0.0'],
    })
  })

  test.each(names)('default: reads the changelog of @sluice/%s', (name) => {
    const own = readFileSync(join(root, 'packages', name, 'CHANGELOG.md'), 'utf8')
    const { released, unreleased } = Changelog.parse(own)
    expect(unreleased !== '' || released.length > 0).toBe(true)
  })

  test('error: an unknown heading, and versions in the wrong order', () => {
    expect(() => Changelog.parse('# C\n\n## 1.0\n')).toThrow('"## 1.0" is not a heading')
    expect(() =>
      Changelog.parse('# C\n\n## 1.9.0 - 2026-01-01\n\n## 1.10.0 - 2026-01-02\n'),
    ).toThrow('Version 1.9.0 is listed above 1.10.0.')
  })
})

describe('nextVersion', () => {
  const versionAfter = (...unreleased: string[]) =>
    Changelog.nextVersion(
      '1.2.3',
      unreleased.map((each) => ({ unreleased: each, released: ['1.2.3'] })),
    )

  test.each([
    ['1.2.4', '### Fixed\n\n- A bug.'],
    ['1.3.0', '### Added\n\n- A thing.'],
    ['1.3.0', '### Changed\n\n- A default.'],
    ['2.0.0', '### Removed\n\n- A thing.'],
    ['2.0.0', '### Changed\n\n- **Breaking:** a name.'],
    ['1.2.3', ''],
  ])('default: %s after %j', (version, unreleased) => {
    expect(versionAfter(unreleased)).toBe(version)
  })

  test('behavior: the largest change of all packages counts', () => {
    expect(versionAfter('### Fixed\n\n- A bug.', '', '### Removed\n\n- A thing.')).toBe('2.0.0')
  })

  test('behavior: a version that was never released stays', () => {
    const changelog = { unreleased: '### Removed\n\n- A thing.', released: [] }
    expect(Changelog.nextVersion('1.0.0', [changelog])).toBe('1.0.0')
  })
})

describe('release', () => {
  test('default: moves the unreleased changes below a heading', () => {
    const released = Changelog.release(text, '1.2.0', '2026-03-01')
    expect(released).toBe(
      text.replace('## Unreleased\n', '## Unreleased\n\n## 1.2.0 - 2026-03-01\n'),
    )
    expect(Changelog.parse(released)).toEqual({
      unreleased: '',
      released: ['1.2.0', '1.1.0', '1.0.0'],
    })
  })

  test('behavior: a package without changes says so', () => {
    const quiet = '# Changelog\n\n## Unreleased\n'
    expect(Changelog.release(quiet, '1.0.0', '2026-03-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-03-01\n\nNo changes; released together with the other packages.\n',
    )
  })

  test('error: a version that is already released', () => {
    expect(() => Changelog.release(text, '1.1.0', '2026-03-01')).toThrow(
      'Version 1.1.0 is already released.',
    )
  })
})
