/** What has the reader's own node repeat a quote: loaded when there is a node to ask. */
export { checkQuote } from './effects/checkQuote.js'
