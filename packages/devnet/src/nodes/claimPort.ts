import { createServer } from 'node:net'
import { DevnetError } from '../errors.js'
import { host } from './ChainNode.js'

export function portTakenError(port: number): DevnetError {
  return new DevnetError(
    'PORT_TAKEN',
    `Port ${port} is taken by another program. Stop that program, or choose another first port with --port (0 picks free ports).`,
  )
}

/** Binds the port for a moment, to distinguish a port in use from other failures of a node. */
export async function claimPort(port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)))
    server.listen(port, host, () => {
      const address = server.address()
      const claimed = typeof address === 'object' && address ? address.port : port
      server.close(() => resolve(claimed))
    })
  })
}

/** Returns the error for a server that could not listen. */
export function listenError({ code }: NodeJS.ErrnoException, port: number): DevnetError {
  if (code === 'EADDRINUSE') return portTakenError(port)
  return new DevnetError('PORT_UNUSABLE', `Port ${port} cannot be used: ${code}.`)
}
