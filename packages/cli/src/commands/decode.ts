import { decodeQuote, type PreparedRequest } from '@sluice/sdk'
import { decode as decodeHere } from '@sluice/sdk/verify'
import type { Command } from '../command.js'
import { withProgress } from '../output.js'
import { readJson } from '../readJson.js'
import { readPinned } from '../readPinned.js'
import { UsageError } from '../UsageError.js'
import { answerOf } from './quote.js'

export const decode: Command = {
  summary: "Turn a node's response to a prepared call into a checked quote",
  flags: {
    request: {
      type: 'string',
      isRequired: true,
      help: 'File with the JSON output of prepare; - is stdin.',
    },
    result: {
      type: 'string',
      isRequired: true,
      help: "The node's result: 0x…, or a file with its JSON-RPC response; - is stdin.",
    },
    deployments: {
      type: 'string',
      help: 'Decode without the service, using the addresses in this file.',
    },
  },
  examples: [
    'sluice decode --request prepared.json --result response.json',
    'sluice decode --request prepared.json --result 0x… --deployments deployments.json',
  ],
  async run(values, { client, io }) {
    const { deployments, request: requestPath, result: given } = values
    if (requestPath === undefined || given === undefined)
      throw new UsageError('Missing: --request and --result.')
    const request = requestIn(readJson(io, String(requestPath)))
    const result = /^0x/.test(String(given)) ? String(given) : resultIn(readJson(io, String(given)))
    if (deployments === undefined)
      return answerOf(
        await withProgress(io, 'Decoding', () => decodeQuote(client, { request, result })),
      )
    const registry = readPinned(io, String(deployments))
    const options = { registry, maxBlockAgeSec: Number.POSITIVE_INFINITY }
    return answerOf(decodeHere({ request, result }, options))
  },
}

/** Request of a file that holds either the output of `prepare` or the request alone. */
function requestIn(content: unknown): PreparedRequest {
  const { request } = (content ?? {}) as { request?: unknown }
  return (request ?? content) as PreparedRequest
}

function resultIn(content: unknown): string {
  const { result } = (content ?? {}) as { result?: unknown }
  if (typeof result === 'string') return result
  throw new UsageError('--result has no `result`: the node responded with an error.')
}
