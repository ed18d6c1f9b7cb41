import { Agent, request } from 'node:http'

export type Answered = { readonly status: number; readonly tookMs: number }

const agent = new Agent({ keepAlive: true, maxSockets: 1_500 })

/** One GET; status 0 where no answer came. */
export function get(url: string): Promise<Answered> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, tookMs: performance.now() - startedAt })
    const ask = () => {
      const sent = request(url, { agent }, (answer) => {
        answer.resume()
        answer.on('end', () => end(answer.statusCode ?? 0))
        answer.on('error', () => end(0))
      })
      // A kept connection may be closed just as it is used; every client asks again then.
      sent.on('error', () => (sent.reusedSocket ? ask() : end(0)))
      sent.end()
    }
    ask()
  })
}

/** Asks at a fixed rate, whatever comes back, as the world does. */
export async function openLoop(
  urlOf: (index: number) => string,
  perSecond: number,
  forMs: number,
): Promise<Answered[]> {
  const startedAt = performance.now()
  const asked: Promise<Answered>[] = []
  while (performance.now() - startedAt < forMs) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    while (asked.length < due) asked.push(get(urlOf(asked.length)))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return Promise.all(asked)
}

/** Asks with a fixed number under way. */
export async function closedLoop(
  urlOf: (index: number) => string,
  inFlight: number,
  forMs: number,
): Promise<Answered[]> {
  const endsAt = performance.now() + forMs
  const answers: Answered[] = []
  let asked = 0
  const ask = async () => {
    while (performance.now() < endsAt) answers.push(await get(urlOf(asked++)))
  }
  await Promise.all(Array.from({ length: inFlight }, ask))
  return answers
}
