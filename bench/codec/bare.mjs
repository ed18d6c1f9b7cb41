/** A server that returns the bytes of an address, and does nothing else; sends its port over IPC. */
import { createServer } from 'node:http'

const bytes = await (await fetch(process.argv[2])).text()
const server = createServer((_, outgoing) => {
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(bytes)
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
