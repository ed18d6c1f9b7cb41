/** One attack in a process of its own: name, host, port and own address are its arguments; `stop` over IPC ends it. */
import { attacks } from './attacks.js'

const [name = '', host = '', port = '', from = ''] = process.argv.slice(2)
const stopping = new AbortController()
process.on('message', () => stopping.abort())
attacks[name]!({ host, port: Number(port), from, signal: stopping.signal })
// What is held is held until this process is killed.
setInterval(() => {}, 60_000)
