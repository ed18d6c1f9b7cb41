/** What the middleware leaves for the routes. */
export type AppEnv = { Variables: { requestId: string } }
