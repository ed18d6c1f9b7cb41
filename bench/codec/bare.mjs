/** A bare server: fetches a URL once, returns its bytes to every request, and sends its port over IPC. */
import { createServer } from 'node:http'

const bytes = await (await fetch(process.argv[2])).text()
const server = createServer((_, outgoing) => {
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(bytes)
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
