/** What has the reader's own node compute quotes: loaded for a service that makes none itself. */
export { quoteByNode } from './effects/ownQuote.js'
