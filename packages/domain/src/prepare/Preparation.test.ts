import { describe, expect, test } from 'vitest'
import * as Preparation from './Preparation.js'

describe('Preparation.curlOf', () => {
  test('default: passes the body as an argument, or as standard input if it is too long', () => {
    expect(Preparation.curlOf([1], 'http://127.0.0.1:1')).toBe(
      `curl -s -H 'content-type: application/json' --data '[1]' "\${RPC_URL:-http://127.0.0.1:1}"`,
    )
    const long = Preparation.curlOf(['x'.repeat(100_000)])
    expect(long.replace(/x+/, 'x')).toBe(
      `curl -s -H 'content-type: application/json' --data @- "$RPC_URL" <<'JSON'\n["x"]\nJSON`,
    )
  })
})
