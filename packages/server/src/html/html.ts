/** Finished markup: every value in it was escaped. */
export type Html = { readonly markup: string }

export type Content = Html | string | number | bigint | false | undefined | readonly Content[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;',
}

/**
 * Template tag that escapes its values. A value can be text or the value of a quoted attribute. Only results of this
 * tag count as markup. Values must not be used in scripts, styles, or outside of quotes in a tag.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  const parts = strings.map((part, index) => part + render(values[index]))
  return { markup: parts.join('') }
}

function render(value: Content): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(render).join('')
  if (typeof value === 'object') return (value as Html).markup
  return escapeText(String(value))
}

/** HTML allows no control characters except tab and line end, not even as entities. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>"'`=]/g, (char) => entities[char]!)
    .replace(/\p{Cs}|(?![\t\n])\p{Cc}/gu, '\ufffd')
}
