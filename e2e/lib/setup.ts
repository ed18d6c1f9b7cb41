import { expect } from 'vitest'

/**
 * Checks every response in the tests of this folder against the OpenAPI document. Other tests do not load it: it takes longer
 * than most of them.
 */
if (/[\\/]e2e[\\/]/.test(expect.getState().testPath ?? '')) {
  const { holdAnswers } = await import('./holdAnswers.js')
  holdAnswers()
}
