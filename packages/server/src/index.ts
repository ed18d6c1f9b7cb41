/** The HTTP service. */
export type { Config } from './config/Config.js'
export { variables } from './config/environment.js'
export { InvalidConfigError } from './config/InvalidConfigError.js'
export { readConfig } from './config/readConfig.js'
export { type AppOptions, createApp } from './createApp.js'
export { NothingServedError, NotListeningError } from './listenErrors.js'
export { type RunningServer, type ServerConfig, startServer } from './startServer.js'
