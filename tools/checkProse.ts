/** Rejects phrases that readers did not understand, and suggests a replacement. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const phrases: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\b(that|which) (is|are) none\b/i, '"invalid" or "malformed"'],
  [/\bby commas\b/i, '"comma-separated"'],
  [/\bper cent\b/i, 'a number with "%"'],
  [/\bplain signs\b/i, '"ASCII characters"'],
  [/\binterface description\b/i, '"OpenAPI document"'],
  [
    /`undefined` where\b|\bnull where\b|@throws[^.]* where (it|the|there|no|none|nobody)\b/,
    '"if" for a condition',
  ],
  [/\bmade of signs\b|\bplain text signs\b/i, '"characters"'],
  [/\bwith a growing pause\b/i, '"back off"'],
  [/\bin bytes than in signs\b/i, '"UTF-8 bytes beyond one per character"'],
]
const hasProse = /\.(md|ts|mjs|sol)$/
const exempt = /\/generated\/|^tools\/checkProse\.ts$/

/**
 * Returns lines that contain one of the phrases, each with its replacement.
 *
 * @param paths Relative to `root`.
 */
export function checkProse(root: string, paths: readonly string[]): string[] {
  return paths
    .filter((path) => hasProse.test(path) && !exempt.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n')
      return lines.flatMap((line, index) =>
        phrases
          .filter(([phrase]) => phrase.test(line))
          .map(([phrase, better]) => `${path}:${index + 1}: write ${better}, not ${phrase.source}`),
      )
    })
}
