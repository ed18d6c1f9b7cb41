import { createRequire } from 'node:module'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Hex, hexToBytes, size } from 'viem'

const require = createRequire(import.meta.url)
const { LibZip } = require('solady/js/solady.js') as {
  LibZip: { flzCompress(data: string): Hex }
}

/** Bytes of calldata: all, those that are zero, and compressed as rollups charge for them. */
export function calldataSizes(data: Hex): Record<'bytes' | 'zeros' | 'fastlz' | 'brotli', number> {
  const bytes = hexToBytes(data)
  return {
    bytes: bytes.length,
    zeros: bytes.filter((byte) => byte === 0).length,
    // What Optimism charges by since Fjord, for the calldata alone.
    fastlz: size(LibZip.flzCompress(data)),
    brotli: brotliCompressSync(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }).length,
  }
}
