/** The HTTP service. */
export { type Config, readConfig } from './config.js'
export { type AppOptions, createApp } from './createApp.js'
export { InvalidConfigError } from './settings.js'
export {
  NothingServedError,
  NotListeningError,
  type RunningServer,
  type ServerConfig,
  startServer,
} from './startServer.js'
