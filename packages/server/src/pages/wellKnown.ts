import type { Site } from '@sluice/api'

/** RFC 9727: where the API is described, documented and watched. */
export function apiCatalog({ docs, url }: Site) {
  const isOwnGuide = docs.startsWith(`${url}/llms`)
  return {
    linkset: [
      {
        anchor: `${url}/api`,
        'service-desc': [{ href: `${url}/api/openapi.json`, type: 'application/json' }],
        'service-doc': [
          { href: docs, type: isOwnGuide ? 'text/plain' : 'text/html' },
          { href: `${url}/llms.txt`, type: 'text/plain' },
        ],
        'service-meta': [{ href: `${url}/api/manifest`, type: 'application/json' }],
        status: [{ href: `${url}/api/health`, type: 'application/json' }],
      },
    ],
  }
}

const validForDays = 180
const dayMs = 86_400_000

/**
 * RFC 9116. Valid for half a year from the start of the day, so that the text changes once a day.
 *
 * @param now Unix milliseconds.
 */
export function securityTxt({ contact, url }: Site, now: number): string {
  const day = Math.floor(now / dayMs) * dayMs
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(day + validForDays * dayMs).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${url}/.well-known/security.txt`,
    '',
  ].join('\n')
}
