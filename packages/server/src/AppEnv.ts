import type { IncomingMessage, ServerResponse } from 'node:http'

export type AppEnv = {
  /** Of the Node adapter; absent where the app is called as a function. */
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse }
  /** What the middleware leaves for the routes, and the routes for the middleware. */
  Variables: {
    requestId: string
    /** Code of the error that the answer is, for the metrics. */
    refusal: string | undefined
    /** What the answer costs its caller, where it is not what its path costs. */
    points: number | undefined
    /**
     * Takes points for what an answer that is under way costs further; absent where callers have no limit.
     *
     * @throws ApiError `rate_limited` where none are left.
     */
    charge: ((points: number) => Promise<void>) | undefined
  }
}
