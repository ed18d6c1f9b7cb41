import { BaseError } from '@sluice/domain'

/** Thrown if the configuration leaves no chain to serve. */
export class NothingServedError extends BaseError {
  override readonly name = 'NothingServedError'
  constructor() {
    super('No chain has both a node (RPC_<chainId>) and a Quoter in the deployments file.', {
      code: 'nothing_served',
      metaMessages: ['Deploy to the chain first, or set RPC_<chainId> for a chain of the file.'],
    })
  }
}

/** Thrown if the port cannot be used. */
export class NotListeningError extends BaseError {
  override readonly name = 'NotListeningError'
  constructor(wanted: NotListeningError.Wanted, cause: NodeJS.ErrnoException) {
    const isTaken = cause.code === 'EADDRINUSE'
    const why = isTaken ? 'is taken by another program' : `cannot be used (${cause.code})`
    super(`Port ${wanted.port} on ${wanted.host} ${why}.`, {
      code: 'not_listening',
      cause,
      metaMessages: [adviceOn(cause.code, wanted)],
    })
  }
}

function adviceOn(code: string | undefined, { variable }: NotListeningError.Wanted): string {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `Set ${variable.replace('PORT', 'HOST')} to an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them.`
  return `Set ${variable} to a free port; 0 lets the system choose.`
}

export declare namespace NotListeningError {
  type Wanted = {
    readonly host: string
    readonly port: number
    /** The variable that sets the port. */
    readonly variable: 'PORT' | 'ADMIN_PORT'
  }
}
