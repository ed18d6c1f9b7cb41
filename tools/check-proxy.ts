/**
 * Runs the service behind nginx with the settings of docs/proxy/nginx.conf. Fails if quotes, streams or the rate limit
 * of each caller do not work.
 */
import { request } from 'node:http'
import { chainId } from '../bench/chaos/encodePlan.js'
import { startAll } from '../bench/siege/startAll.js'
import { startProxy } from '../bench/siege/startProxy.js'

const quote = `/api/quote?chain=${chainId}&in=WETH&out=USDC&amountIn=`

const siege = await startAll(1, {
  RATE_LIMIT: '1',
  RATE_BURST: '10',
  TRUSTED_PROXIES: '127.0.0.1/32',
})
const proxy = await startProxy(siege.port)
const failures: string[] = []
const demand = (what: string, isTrue: boolean) => {
  if (!isTrue) failures.push(what)
}
const spoofed = { 'x-forwarded-for': '192.0.2.1' }
const first = await ask(`${quote}1`, '127.0.0.3', spoofed)
const second = await ask(`${quote}2`, '127.0.0.3')
const third = await ask(`${quote}3`, '127.0.0.3', { 'x-forwarded-for': '192.0.2.2' })
const other = await ask(`${quote}4`, '127.0.0.4')
demand('a quote succeeds', first.status === 200 && second.status === 200)
demand('a caller cannot get a second rate limit with a forged address', third.status === 429)
demand('another caller has a separate rate limit', other.status === 200)
const stream = await ask(`${quote.replace('quote', 'quote/stream')}5`, '127.0.0.5', {}, 1)
demand('the first event of a stream arrives at once', stream.text.startsWith('event: quote'))
proxy.stop()
siege.stop()
for (const failure of failures) console.error(`Does not hold behind nginx: ${failure}.`)
if (failures.length === 0) console.log('The proxy settings work.')
process.exit(failures.length === 0 ? 0 : 1)

/** @param chunks Number of chunks to wait for. @default all */
function ask(
  path: string,
  localAddress: string,
  headers: Record<string, string> = {},
  chunks = Number.POSITIVE_INFINITY,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: proxy.port, path, localAddress, headers }
    const sent = request({ ...options, agent: false }, (answer) => {
      let [text, count] = ['', 0]
      const end = () => resolve({ status: answer.statusCode ?? 0, text })
      answer.on('data', (chunk) => {
        text += chunk
        if (++count >= chunks) {
          end()
          sent.destroy()
        }
      })
      answer.on('end', end)
    })
    sent.on('error', reject)
    sent.end()
  })
}
