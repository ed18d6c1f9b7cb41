import type { IncomingMessage, ServerResponse } from 'node:http'

export type AppEnv = {
  /** Objects of the Node adapter; absent if the app is called as a function. */
  Bindings: {
    incoming?: IncomingMessage
    outgoing?: ServerResponse
    /** Whether the service calls itself, for an MCP tool. */
    isInner?: boolean
  }
  /** Values that middleware and routes pass to each other. */
  Variables: {
    requestId: string
    /** Error code of the response, for the metrics. */
    refusal: string | undefined
    /** Points that the request cost, if they differ from what was charged. */
    points: number | undefined
    /**
     * Charges points for work that the path alone does not show, before that work is done; absent if there is no rate
     * limit.
     *
     * @throws ApiError `rate_limited` if too few points are left.
     */
    charge: ((points: number) => Promise<void>) | undefined
  }
}
