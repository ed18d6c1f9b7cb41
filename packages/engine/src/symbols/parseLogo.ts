import { createHash } from 'node:crypto'

/** A token's picture, which the service serves itself: a page must not tell other hosts what its readers look at. */
export type Logo = {
  /** Path on the service; a digest of the content, so that it never changes. */
  readonly path: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Reads a file beside the token list; `undefined` if there is none. */
export type ReadFile = (path: string) => Uint8Array | undefined

/** Folder of the pictures on the service. */
export const logoFolder = '/logos/'
const maxBytes = 65_536
const nameLength = 32

/** Picture formats that cannot contain scripts, with their first bytes as Latin-1 characters. */
const formats = [
  { type: 'image/png', ending: 'png', start: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', ending: 'jpg', start: /^\xff\xd8\xff/ },
  { type: 'image/webp', ending: 'webp', start: /^RIFF.{4}WEBP/s },
] as const

const dataUri = /^data:image\/[a-z]{3,4};base64,([A-Za-z0-9+/]+={0,2})$/
/** A relative path that stays below the folder of the list. */
const beside = /^(?:[\w-]+\/){0,4}[\w-][\w.-]*$/

/**
 * Parses the `logoURI` of a token: a data URI, or the path of a file beside the list. Pictures on other hosts are not
 * fetched.
 *
 * @returns `undefined` if it is anything else, too large, or not a picture.
 */
export function parseLogo(uri: unknown, readFile: ReadFile): Logo | undefined {
  if (typeof uri !== 'string' || uri.length > 2 * maxBytes) return undefined
  const coded = dataUri.exec(uri)?.[1]
  const bytes =
    coded === undefined
      ? beside.test(uri)
        ? readFile(uri)
        : undefined
      : Buffer.from(coded, 'base64')
  if (bytes === undefined || bytes.byteLength > maxBytes) return undefined
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const format = formats.find((each) => each.start.test(start))
  if (format === undefined) return undefined
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, nameLength)
  return { path: `${logoFolder}${digest}.${format.ending}`, type: format.type, bytes }
}
