/** What is used of the load generator, which ships no types. */
declare module 'autocannon' {
  type Result = { requests: { average: number }; non2xx: number; errors: number }
  export default function autocannon(options: {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Requests after which a connection is made anew. */
    reconnectRate?: number
  }): Promise<Result>
}
