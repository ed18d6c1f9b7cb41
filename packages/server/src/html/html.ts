/** Markup that is finished: whatever went into it was escaped. */
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
 * A template whose values are texts: they end up as text or as the value of an attribute in quotes, whatever they hold.
 * Only what this template made is markup. Values may not stand in scripts, styles, or outside quotes in a tag.
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

/** Controls other than tab and line end have no place in HTML, not even as entities. */
function escapeText(text: string): string {
  return text
    .replace(/[&<>"'`=]/g, (char) => entities[char]!)
    .replace(/\p{Cs}|(?![\t\n])\p{Cc}/gu, '\ufffd')
}
