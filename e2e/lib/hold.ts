/** Preloaded with `--import` into programs that the tests start. */
import { holdAnswers } from './holdAnswers.js'

holdAnswers()
