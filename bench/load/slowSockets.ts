/** Holds connections to the URL in its first argument, and reports when the last of them was closed. */
import { connect } from 'node:net'

const starts = [
  '',
  'GET /api/health HTTP/1.1\r\nx: ',
  'POST /api/quote/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n',
]

const [url = '', each = '0'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
let longest = 0
const closed: Promise<void>[] = []
for (let count = 0; count < Number(each); count++) {
  closed.push(...starts.map(hold))
  // Opened slowly, because the cost of open connections is measured, not the cost of opening them.
  if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}
await Promise.all(closed)
process.send!(longest)

/** Sends nothing, or headers or a body slowly, until the service closes the connection. */
function hold(start: string): Promise<void> {
  const openedAt = performance.now()
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  if (start !== '') socket.write(start)
  const drip = setInterval(() => start !== '' && socket.writable && socket.write('a'), 1_000)
  return new Promise((resolve) => {
    socket.resume().on('close', () => {
      clearInterval(drip)
      longest = Math.max(longest, performance.now() - openedAt)
      resolve()
    })
  })
}
