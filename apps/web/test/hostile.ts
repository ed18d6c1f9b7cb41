import fc from 'fast-check'

/** What has been tried on pages before, as names of tokens or of anything else that others write. */
const attempts = [
  '<script>globalThis.hacked=1</script>',
  '"><img src=x onerror=globalThis.hacked=1>',
  "'-alert(1)-'",
  '</title><svg onload=globalThis.hacked=1>',
  '</pre></code></main><h1>Insolvent',
  '</option><option value=evil>',
  '<!--',
  '-->',
  ']]>',
  '<![CDATA[',
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content=0>',
  '<style>*{display:none}</style>',
  '<noscript><p title="</noscript><img src=x onerror=globalThis.hacked=1>">',
  '<template><iframe></template>',
  '<math><mi//xlink:href="data:x,<script>hacked=1</script>">',
  '&lt;script&gt;',
  '&#60;b&#62;',
  'javascript:globalThis.hacked=1',
  '#{globalThis.hacked=1}',
  '{{constructor.constructor("hacked=1")()}}',
  '` onmouseover=hacked=1 `',
  'a" style="position:fixed;inset:0" b="',
  '\u202eCDSU',
  'USD\u200bC',
  '\u0000<b>',
  '\ud800<i>',
  '\u2028alert(1)',
  '\u{e003c}script\u{e003e}',
  'x'.repeat(5_000),
  `e${'\u0301'.repeat(300)}`,
  '',
  ' ',
  '__proto__',
]

const pieces = fc.oneof(
  fc.constantFrom(...attempts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'<>"\'`=&;/!-[]{}$ \n\t\r\0ab'), maxLength: 60 }),
)

/** So many names, the same every time for a seed. */
export function hostileNames(count: number, seed: number): readonly string[] {
  const name = fc.array(pieces, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  return [...attempts, ...fc.sample(name, { numRuns: count, seed })].slice(0, count)
}
