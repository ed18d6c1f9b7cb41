import { dexscreener, dexscreenerUrl } from './dexscreener.js'
import { geckoTerminal, geckoTerminalUrl } from './geckoTerminal.js'
import type { MarketSource } from './MarketSource.js'

/** Supported APIs of market data sources. */
export const marketKinds = ['dexscreener', 'geckoterminal'] as const
export type MarketKind = (typeof marketKinds)[number]

/** A source as configured by the operator. */
export type MarketSetting = {
  readonly kind: MarketKind
  /** Name shown in responses. @default the kind */
  readonly name?: string | undefined
  /** Base URL without a trailing slash. @default the public service's URL */
  readonly url?: string | undefined
}

export function openSources(settings: readonly MarketSetting[]): readonly MarketSource[] {
  return settings.map(({ kind, name = kind, url }) =>
    kind === 'dexscreener'
      ? dexscreener({ name, url: url ?? dexscreenerUrl })
      : geckoTerminal({ name, url: url ?? geckoTerminalUrl }),
  )
}
