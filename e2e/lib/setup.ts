import { expect } from 'vitest'
import { holdAnswers } from './holdAnswers.js'

/** Checks every response in the tests of this folder against the OpenAPI document. */
if (/[\\/]e2e[\\/]/.test(expect.getState().testPath ?? '')) holdAnswers()
