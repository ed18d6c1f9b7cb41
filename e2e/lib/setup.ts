import { expect } from 'vitest'
import { holdAnswers } from './holdAnswers.js'

/** Every suite of this folder is held to the description. */
if (/[\\/]e2e[\\/]/.test(expect.getState().testPath ?? '')) holdAnswers()
