/** The HTTP service. */
export { type Config, InvalidConfigError, readConfig } from './config.js'
export { type AppOptions, createApp } from './createApp.js'
export {
  NothingServedError,
  NotListeningError,
  type RunningServer,
  type ServerConfig,
  startServer,
} from './startServer.js'
