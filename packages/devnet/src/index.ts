export { anvilPath } from './anvil.js'
export { DevnetError } from './errors.js'
export { account, type DevnetChain, type DevnetPool } from './startChain.js'
export { type Devnet, type StartDevnetOptions, startDevnet } from './startDevnet.js'
