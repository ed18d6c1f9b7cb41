/** What stands under "Details and proof": loaded when it is opened. */
export { Details } from './view/Details.js'
