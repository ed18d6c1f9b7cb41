/** `--import` of programs that suites run. */
import { holdAnswers } from './holdAnswers.js'

holdAnswers()
