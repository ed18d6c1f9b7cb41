/** The service as tools for agents: read-only, without keys. */
export { createFetch } from './createFetch.js'
