/** Creates a generator of numbers in [0, 1) from a seed; good enough to choose bytes. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Replaces one to eight characters of a text, all within one random part. */
export function mutateText(text: string, alphabet: string, random: () => number): string {
  const changed = [...text]
  const count = 1 + Math.floor(random() * 8)
  for (let index = 0; index < count; ++index)
    changed[Math.floor(random() * text.length)] = alphabet[Math.floor(random() * alphabet.length)]!
  return changed.join('')
}

/** Replaces one to eight bytes of a hexadecimal string. */
export function mutateHex(hex: string, random: () => number): string {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  const count = 1 + Math.floor(random() * 8)
  for (let index = 0; index < count; ++index)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  return `0x${bytes.toString('hex')}`
}
