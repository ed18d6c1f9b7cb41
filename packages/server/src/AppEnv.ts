import type { IncomingMessage, ServerResponse } from 'node:http'

export type AppEnv = {
  /** Of the Node adapter; absent if the app is called as a function. */
  Bindings: {
    incoming?: IncomingMessage
    outgoing?: ServerResponse
    /** The service asks itself, for a tool that was called. */
    isInner?: boolean
  }
  /** What the middleware leaves for the routes, and the routes for the middleware. */
  Variables: {
    requestId: string
    /** Code of the error that the answer is, for the metrics. */
    refusal: string | undefined
    /** What the answer cost in the end, if that is not what was paid for it. */
    points: number | undefined
    /**
     * Takes points for what the request asks for beyond its path, before that is done; absent if callers have no limit.
     *
     * @throws ApiError `rate_limited` if they are not left.
     */
    charge: ((points: number) => Promise<void>) | undefined
  }
}
