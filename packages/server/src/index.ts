/** The HTTP service. */
export { type Config, readConfig } from './config.js'
export { type AppOptions, createApp } from './createApp.js'
export { NothingServedError, NotListeningError } from './listenErrors.js'
export { InvalidConfigError } from './settings.js'
export { type RunningServer, type ServerConfig, startServer } from './startServer.js'
