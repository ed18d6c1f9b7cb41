/** What is used of the load generator, which ships no types. */
declare module 'autocannon' {
  type Result = {
    requests: { average: number; total: number }
    non2xx: number
    errors: number
    start: Date
    finish: Date
  }
  export default function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** In turns; `setupRequest` may change each before it is sent. */
    requests?: readonly { setupRequest: (request: { path: string }) => { path: string } }[]
  }): Promise<Result>
}
