import type { ServerResponse } from 'node:http'

export type AppEnv = {
  /** Of the Node adapter; absent where the app is called as a function. */
  Bindings: { outgoing?: ServerResponse }
  /** What the middleware leaves for the routes. */
  Variables: { requestId: string }
}
