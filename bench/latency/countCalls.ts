import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { Address } from 'viem'

/** Starts a relay in front of a node that counts the calls to a contract. */
export async function countCalls(
  nodeUrl: string,
  contract: Address,
): Promise<{ url: string; calls(): number; stop(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true })
  const call = `"to":"${contract.toLowerCase()}"`
  let calls = 0
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      calls += body.toString().toLowerCase().split(call).length - 1
      const relayed = request(
        nodeUrl,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' })
          answer.pipe(outgoing)
        },
      )
      relayed.on('error', () => outgoing.destroy())
      relayed.end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port to listen on')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls: () => calls,
    async stop() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
