/** Types of the parts of autocannon that the benches use. The package contains no types. */
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
    /** In seconds. */
    duration: number
    /** Sent in turn; `setupRequest` may change each one before it is sent. */
    requests?: readonly { setupRequest: (request: { path: string }) => { path: string } }[]
  }): Promise<Result>
}
