import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plantings } from '../bench/teeth/plantings.js'

/** `npm run bench -- teeth` inserts these bugs by hand: it can only do so where the contracts still read as they say. */
describe.each(plantings)('bugs of the set $set', ({ bugs }) => {
  test.each(bugs)('$file has this exactly once: $from', ({ file, from, to }) => {
    const sound = readFileSync(new URL(`../contracts/src/${file}`, import.meta.url), 'utf8')
    expect(sound.split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  })
})
