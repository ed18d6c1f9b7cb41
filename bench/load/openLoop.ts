import { type Answered, get } from './rawGet.js'

/** Sends requests at a fixed rate, regardless of the responses. */
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

/** Sends requests with a fixed number in flight. */
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
