import { Agent, request } from 'node:http'
import { chainId } from '../chaos/encodePlan.js'
import { quantile } from '../lib/figures.js'

export type Honest = { readonly p99: number; readonly lost: number; readonly asked: number }

const perSecond = 20
/** Timeout of a quote. */
const timeoutMs = 10_000

/** Requests twenty uncached quotes per second over kept connections, and retries if a connection was just closed. */
export async function askHonestly(port: number, forMs: number): Promise<Honest> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const asked: Promise<{ status: number; tookMs: number }>[] = []
  let amount = 10 ** 6 + Math.floor(Math.random() * 10 ** 9)
  while (performance.now() - startedAt < forMs) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (asked.length < due) asked.push(ask(agent, port, amount++))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const answers = await Promise.all(asked)
  agent.destroy()
  return {
    asked: answers.length,
    lost: answers.filter(({ status }) => status !== 200).length,
    p99: quantile(
      answers.map(({ tookMs }) => tookMs),
      0.99,
    ),
  }
}

/** Sends one request. The status is 0 if there is no response. */
function ask(agent: Agent, port: number, amount: number) {
  const startedAt = performance.now()
  const path = `/api/quote?chain=${chainId}&in=WETH&out=USDC&amountIn=${amount}`
  return new Promise<{ status: number; tookMs: number }>((resolve) => {
    const end = (status: number) => resolve({ status, tookMs: performance.now() - startedAt })
    const attempt = () => {
      const sent = request(
        { agent, host: '127.0.0.1', localAddress: '127.0.0.1', path, port, timeout: timeoutMs },
        (answer) => {
          answer.resume()
          answer.on('end', () => end(answer.statusCode ?? 0))
          answer.on('error', () => end(0))
        },
      )
      sent.on('timeout', () => sent.destroy())
      sent.on('error', () => (sent.reusedSocket && !sent.destroyed ? attempt() : end(0)))
      sent.end()
    }
    attempt()
  })
}
