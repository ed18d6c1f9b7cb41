import type { AskNode } from '../askNode.js'
import type { Boot } from '../effects/boot.js'
import type { Extras } from '../effects/extras.js'
import type { World } from '../effects/World.js'
import type { Event } from '../machine/events.js'
import type { State } from '../machine/State.js'

/** What every part of the page is given. */
export type Props = {
  readonly state: State
  readonly dispatch: (event: Event) => void
  readonly boot: Boot
  readonly extras: Extras
  readonly nodes: World['savedNodes']
  readonly nodeFor: (chainId: number) => AskNode | undefined
  readonly onNodeNamed: (chainId: number, url: string) => void
}
