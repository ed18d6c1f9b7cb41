import { dexscreener, dexscreenerUrl } from './dexscreener.js'
import { geckoTerminal, geckoTerminalUrl } from './geckoTerminal.js'
import type { MarketSource } from './MarketSource.js'

/** The forms in which sources report. */
export const marketKinds = ['dexscreener', 'geckoterminal'] as const
export type MarketKind = (typeof marketKinds)[number]

/** A source as an operator names it. */
export type MarketSetting = {
  readonly kind: MarketKind
  /** What answers call it. @default the kind */
  readonly name?: string | undefined
  /** Without a slash at the end. @default the public service's */
  readonly url?: string | undefined
}

export function openSources(settings: readonly MarketSetting[]): readonly MarketSource[] {
  return settings.map(({ kind, name = kind, url }) =>
    kind === 'dexscreener'
      ? dexscreener({ name, url: url ?? dexscreenerUrl })
      : geckoTerminal({ name, url: url ?? geckoTerminalUrl }),
  )
}
