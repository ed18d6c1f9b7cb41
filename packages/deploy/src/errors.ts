/** A deployment cannot continue. The message says what to do next and never contains a URL. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
  constructor(
    readonly code:
      | 'BAD_CONFIG'
      | 'BAD_DEPLOYMENTS_FILE'
      | 'WRONG_CHAIN'
      | 'NO_DETERMINISTIC_DEPLOYER'
      | 'NO_ACCOUNT'
      | 'NO_SLU'
      | 'WIRING_DIFFERS'
      | 'TRANSACTION_FAILED'
      | 'NOT_REPEATABLE'
      | 'NO_BLOCK'
      | 'NO_LOGS'
      | 'NO_OLD_STATE'
      | 'NO_ADAPTER'
      | 'NO_POOL'
      | 'NO_HOOKS',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The command line is invalid. The program adds how to print its help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The node returned a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly method: string
  readonly code: number
  /** Revert data, if the node sent it. */
  readonly data: string | undefined
  constructor({ method, code, message, data }: RpcError.Options) {
    // Some nodes and proxies quote the URL that was asked, which may contain a key.
    const text = message.replaceAll(/\b(https?|wss?):\/\/[^\s"'<>]+/g, '(URL)')
    super(`${method} failed: ${text} (JSON-RPC code ${code}).`)
    this.method = method
    this.code = code
    this.data = data
  }
}

export declare namespace RpcError {
  type Options = { method: string; code: number; message: string; data?: string | undefined }
}

/** The node did not respond, or its response is not JSON-RPC. */
export class RpcUnreachableError extends Error {
  override readonly name = 'RpcUnreachableError'
  readonly code = 'RPC_UNREACHABLE'
  constructor(method: string) {
    super(`The node did not answer ${method}. Check that it runs and that its URL is correct.`)
  }
}
