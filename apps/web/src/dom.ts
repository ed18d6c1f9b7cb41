/**
 * The one place that makes elements. Texts become text nodes and never markup, whatever they hold; attributes are of a
 * short list, none of which runs anything, and links lead to the web or to this service.
 */

export type Child = Node | string | false | undefined

const attributeNames = [
  'aria-hidden',
  'aria-label',
  'class',
  'href',
  'rel',
  'role',
  'tabindex',
  'title',
  'type',
] as const
const svgAttributeNames = [
  'aria-label',
  'class',
  'd',
  'height',
  'role',
  'rx',
  'stroke-width',
  'text-anchor',
  'viewBox',
  'width',
  'x',
  'y',
] as const

type Attributes<name extends string> = { readonly [key in name]?: string | number }

const svgSpace = 'http://www.w3.org/2000/svg'

export function el<name extends keyof HTMLElementTagNameMap>(
  name: name,
  attributes: Attributes<(typeof attributeNames)[number]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[name] {
  return fill(document.createElement(name), attributes, attributeNames, children)
}

export function svg<name extends keyof SVGElementTagNameMap>(
  name: name,
  attributes: Attributes<(typeof svgAttributeNames)[number]> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[name] {
  return fill(document.createElementNS(svgSpace, name), attributes, svgAttributeNames, children)
}

function fill<element extends Element>(
  element: element,
  attributes: Readonly<Record<string, string | number>>,
  allowed: readonly string[],
  children: readonly Child[],
): element {
  for (const [name, value] of Object.entries(attributes)) {
    if (!allowed.includes(name)) throw new TypeError(`No element here takes "${name}".`)
    element.setAttribute(name, name === 'href' ? safeLink(String(value)) : String(value))
  }
  for (const child of children) if (child) element.append(child)
  return element
}

/** Nothing that a browser would run. */
export function safeLink(href: string): string {
  const isOwn = href.startsWith('/') && !href.startsWith('//')
  return isOwn || /^https?:\/\//.test(href) ? href : '#'
}

/** An element of the page that is there. */
export function find<element extends Element = HTMLElement>(selector: string): element {
  const found = document.querySelector<element>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

export function show(element: Element, isShown = true): void {
  element.toggleAttribute('hidden', !isShown)
}

/** Says how something ended, in the box that is read out when it changes. */
export function tell(box: Element, kind: 'good' | 'bad' | 'unsure' | 'none', ...words: Child[]) {
  box.className = kind === 'none' ? 'outcome' : `outcome ${kind}`
  box.replaceChildren(...words.filter((word): word is Node | string => Boolean(word)))
}
