/** Typed ABIs, creation code and the error catalogue of the protocol, generated from the build. */
export { errorsAbi } from './generated/errors.js'
export { hubAbi } from './generated/hub.js'
export { optimizerAbi } from './generated/optimizer.js'
export { quoterAbi } from './generated/quoter.js'
export { routerAbi } from './generated/router.js'
export { solverAbi } from './generated/solver.js'
