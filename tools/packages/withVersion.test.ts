import { expect, test } from 'vitest'
import { withVersion } from './withVersion.js'

test('default: changes the version of a published package and of dependencies on published packages', () => {
  const dependencies = { '@sluice/sdk': '1.0.0', '@sluice/api': '1.0.0', zod: '4.6.7' }
  expect(
    withVersion({ name: '@sluice/mcp', version: '1.0.0', type: 'module', dependencies }, '1.1.0'),
  ).toEqual({
    name: '@sluice/mcp',
    version: '1.1.0',
    type: 'module',
    dependencies: { ...dependencies, '@sluice/sdk': '1.1.0' },
  })
})

test('behavior: keeps the version of other packages', () => {
  const devDependencies = { '@sluice/cli': '1.0.0' }
  expect(withVersion({ name: '@sluice/api', version: '1.0.0', devDependencies }, '1.1.0')).toEqual({
    name: '@sluice/api',
    version: '1.0.0',
    devDependencies: { '@sluice/cli': '1.1.0' },
  })
})
