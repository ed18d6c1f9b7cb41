import { ApiError, encodeError } from '@sluice/api'
import { expect, test } from 'vitest'
import { startService } from '../../test/harness.js'
import { refuse } from './rawAnswer.js'

/** Records what is written to a response. */
function recorded() {
  const written = { status: 0, headers: new Map<string, string>(), body: '' }
  const outgoing = {
    writeHead(status: number, headers: readonly string[]) {
      written.status = status
      for (let place = 0; place < headers.length; place += 2)
        written.headers.set(headers[place]!, headers[place + 1]!)
      return outgoing
    },
    end(body: string) {
      written.body = body
    },
  }
  return { written, outgoing: outgoing as unknown as Parameters<typeof refuse>[0] }
}

test('default: a repeated error has the same text with a new request id', () => {
  const error = new ApiError('overloaded', 'Zu viel auf einmal – später.')
  const [one, other] = [recorded(), recorded()]
  const ids = [one, other].map(({ outgoing }) => refuse(outgoing, error, { 'retry-after': '1' }))
  expect(ids[0]).not.toBe(ids[1])
  for (const [index, { written }] of [one, other].entries()) {
    expect(written.status).toBe(503)
    expect(written.body).toBe(JSON.stringify(encodeError(error, ids[index])))
    expect(written.headers.get('x-request-id')).toBe(ids[index])
    expect(written.headers.get('content-length')).toBe(`${Buffer.byteLength(written.body)}`)
    expect(written.headers.get('retry-after')).toBe('1')
  }
})

test('behavior: the fast refusal has the same headers as the app', async () => {
  const { url } = await startService({ rateLimit: 0.001, rateBurst: 1 })
  const path = `${url}/api/manifest`
  await fetch(path)
  const short = await fetch(path)
  const long = await fetch(`${url}/made-up`, { method: 'OPTIONS' }).then(() =>
    fetch(`${url}/api/quote`, { method: 'POST' }),
  )
  expect(short.status).toBe(429)
  const names = ({ headers }: Response) =>
    [...headers.keys()].filter((name) => !['date', 'connection', 'keep-alive'].includes(name))
  expect(names(short)).toEqual(names(long))
})
