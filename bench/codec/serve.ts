/** The service beside a bare server with the same bytes, in a process of its own; says over IPC what time it took. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '@sluice/server'
import { deployments } from '../chaos/clients.js'
import { chainId } from '../chaos/encodePlan.js'

export type Report = {
  url: string
  bareUrl: string
  /** Microseconds of processor time since the start. */
  cpu: number
}

/** With the settings of `npm start`, but for what its nodes have to say. Nothing is asked of any. */
const server = await startServer({
  port: 0,
  maxBlockAge: 'off',
  deployments,
  rpcUrls: new Map([[chainId, ['http://127.0.0.1:9']]]),
  logLevel: 'silent',
  publishRpc: true,
})
const bytes = await (await fetch(`${server.url}${process.argv[2]}`)).text()
const bare = createServer((_, outgoing) => {
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(bytes)
}).listen(0, '127.0.0.1')

process.on('message', () => {
  const { system, user } = process.cpuUsage()
  process.send!({
    url: server.url,
    bareUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}`,
    cpu: system + user,
  } satisfies Report)
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
