import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Minimum size of a cached document to compress. Smaller ones fit into one packet anyway. */
const minKeptBytes = 1_024
/**
 * Minimum size of a fresh response to compress. A smaller one fits into the first packets of a connection.
 * Decompression takes the caller up to a millisecond; a whole quote takes about ten.
 */
const minFreshBytes = 4_096
/** Up to this size, compressing takes less time than passing the work to another thread: about 30 µs. */
export const smallBytes = 16_384
/** Maximum number of concurrent jobs in other threads. Further responses are sent uncompressed. */
const maxJobs = 4
let jobs = 0

/** Returns the best encoding that a client accepts; `undefined` for neither. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  // No honest client sends a longer header.
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
 * Compresses a response; a large one in another thread.
 *
 * @returns `undefined` if the response is sent uncompressed: it is too small, or too many jobs are running.
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
