/** Bands thinner than this have their words above and below them. */
const thinBand = 18

/** Size of the words in a drawing of a route, and the height of a line, in pixels. */
export const [fontSize, lineHeight] = [12.5, 15] as const

/** Widths of a character in a wide font, as parts of the font's size. */
const [charWidth, boldCharWidth] = [0.62, 0.7] as const

/** About as wide as a text of regular weight is drawn; a little wider in most fonts. */
export function widthOf(text: string): number {
  return Math.ceil(text.length * charWidth * fontSize)
}

/** The same for bold text. */
export function boldWidthOf(text: string): number {
  return Math.ceil(text.length * boldCharWidth * (fontSize + 1))
}

/** Width of the longest part that is not broken. */
export function leastWidthOf(text: string): number {
  return Math.max(0, ...piecesOf(text).map(widthOf))
}

/** A line of a band's words, centred on `x`, with its baseline at `y`. */
export type DrawnLine = {
  readonly text: string
  readonly x: number
  readonly y: number
  /** The part of the whole trade, not the name of the pool. */
  readonly isShare: boolean
}

/** The words of a band. */
type Said = {
  readonly share: string
  readonly lines: readonly string[]
  readonly thickness: number
  readonly isVertical: boolean
}

/** Room across the flow for a band and its words. */
export function roomOf({ isVertical, lines, share, thickness }: Said): number {
  if (isVertical) return Math.max(thickness, boldWidthOf(share), ...lines.map(widthOf)) + 8
  if (thickness < thinBand) return thickness + 2 * Math.max(1, lines.length) * lineHeight + 8
  return Math.max(thickness + 12, (lines.length + 1) * lineHeight + 6)
}

/** The lines around the middle of a band: on it, or if it is thin and lies flat, above and below it. */
export function linesAt(
  { x, y }: { readonly x: number; readonly y: number },
  { isVertical, lines, share, thickness }: Said,
): readonly DrawnLine[] {
  const isAside = !isVertical && thickness < thinBand
  const top = isAside
    ? y - thickness / 2 - lines.length * lineHeight
    : y - ((lines.length + 1) * lineHeight) / 2
  const shareTop = isAside ? y + thickness / 2 : top + lines.length * lineHeight
  const baseline = (at: number) => round(at + lineHeight - 4)
  return [
    ...lines.map((text, index) => ({
      text,
      x,
      y: baseline(top + index * lineHeight),
      isShare: false,
    })),
    { text: share, x, y: baseline(shareTop), isShare: true },
  ]
}

/**
 * Breaks a text into lines of at most `width` pixels where it has spaces. A number stays beside its percent sign.
 *
 * @example
 * wrapLabel('Uniswap V3 0.05 %', 90)
 * // ['Uniswap V3', '0.05 %']
 */
export function wrapLabel(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const piece of piecesOf(text)) {
    const line = lines.at(-1)
    const longer = `${line} ${piece}`
    if (line !== undefined && widthOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines
}

function piecesOf(text: string): readonly string[] {
  return text.split(/ (?!%)/).filter(Boolean)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
