/** Runs one attack in a separate process. Arguments: name, host, port and own address. `stop` over IPC ends it. */
import { attacks } from './attacks.js'

const [name = '', host = '', port = '', from = ''] = process.argv.slice(2)
const stopping = new AbortController()
process.on('message', () => stopping.abort())
attacks[name]!({ host, port: Number(port), from, signal: stopping.signal })
// Keeps all connections open until this process is killed.
setInterval(() => {}, 60_000)
