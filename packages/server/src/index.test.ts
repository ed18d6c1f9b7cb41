import { expect, test } from 'vitest'
import * as server from './index.js'

test('default: the public surface', () => {
  expect(Object.keys(server).sort()).toEqual([
    'InvalidConfigError',
    'NotListeningError',
    'NothingServedError',
    'createApp',
    'readConfig',
    'startServer',
    'variables',
  ])
})
