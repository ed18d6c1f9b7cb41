import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Smaller documents fit into a packet either way. */
const minKeptBytes = 1_024
/**
 * A smaller fresh answer fits into the first packets of a connection uncompressed. Decompressing it takes the caller up to a
 * millisecond; a whole quote takes about ten.
 */
const minFreshBytes = 4_096
/** Below this, compressing costs less than handing the work to another thread: about 30 us. */
export const smallBytes = 16_384
/** At a time; whoever asks beyond them gets the answer as it is. */
const maxJobs = 4
let jobs = 0

/** What a client takes, the better one first; `undefined` for neither. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  // Longer ones are not of a client who wants to read something.
  if (accepted === undefined || accepted.length > 256) return undefined
  const takes = (name: Encoding) =>
    accepted.split(',').some((each) => {
      const [coding = '', quality = ''] = each.split(';')
      return coding.trim().toLowerCase() === name && !/^ *q *= *0(\.0*)? *$/.test(quality)
    })
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : undefined
}

/**
 * Compresses an answer, a large one in another thread.
 *
 * @returns `undefined` if it is sent as it is: too small to matter, or too many are compressed already.
 */
export function compress(
  bytes: string | Buffer,
  encoding: Encoding | undefined,
  options: { isKept?: boolean } = {},
): Buffer | Promise<Buffer> | undefined {
  const { isKept = false } = options
  const minBytes = isKept ? minKeptBytes : minFreshBytes
  if (encoding === undefined || bytes.length < minBytes) return undefined
  if (bytes.length <= smallBytes && !isKept)
    return encoding === 'br' ? brotliCompressSync(bytes, quick) : gzipSync(bytes, quickGzip)
  if (jobs >= maxJobs) return undefined
  jobs++
  return new Promise<Buffer>((resolve, reject) => {
    const end = (error: Error | null, compressed: Buffer) => {
      jobs--
      if (error === null) resolve(compressed)
      else reject(error)
    }
    if (encoding === 'br') brotliCompress(bytes, isKept ? thorough : quickLarge, end)
    else gzip(bytes, { level: isKept ? 9 : 1 }, end)
  })
}

const brotli = (quality: number, windowBits: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
  },
})
const quick = brotli(2, 14)
const quickLarge = brotli(2, 18)
const thorough = brotli(9, 20)
const quickGzip = { level: 4, memLevel: 6, windowBits: 13 }
