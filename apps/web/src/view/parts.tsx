import { Texts } from '@sluice/domain'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Token } from '../machine/State.js'

/** Small parts that many views are made of. Texts of strangers become text nodes, never markup. */

const paths = {
  down: 'M6 9l6 6 6-6',
  flip: 'M8 4v16m0 0l-4-4m4 4l4-4M16 20V4m0 0l-4 4m4-4l4 4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  gear: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM19.4 13.5a7.6 7.6 0 0 0 0-3l2-1.5-2-3.4-2.4 1a7.6 7.6 0 0 0-2.6-1.5L14 2.5h-4l-.4 2.6A7.6 7.6 0 0 0 7 6.6l-2.4-1-2 3.4 2 1.5a7.6 7.6 0 0 0 0 3l-2 1.5 2 3.4 2.4-1a7.6 7.6 0 0 0 2.6 1.5l.4 2.6h4l.4-2.6a7.6 7.6 0 0 0 2.6-1.5l2.4 1 2-3.4z',
  warn: 'M12 4l9 16H3zM12 10v4m0 3v.01',
  wallet:
    'M3 7.5A2.5 2.5 0 0 1 5.5 5H18v3M3 7.5V17a2.5 2.5 0 0 0 2.5 2.5H21V8H5.5A2.5 2.5 0 0 1 3 7.5zM17 14h.01',
  link: 'M9 5h10v10M19 5L6 18',
} as const

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** A text of a stranger, cut and made plain. */
export function plain(text: string, length = 24): string {
  return Texts.visible(text, length)
}

/** A number from the letters of an address, so that one address always looks the same. */
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const char of text.toLowerCase())
    hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619) >>> 0
  return hash
}

/** A token's picture: the one on the operator's list, else drawn here. None is asked of anybody else. */
export function Coin({ token, size = 28 }: { token: Token; size?: number }) {
  if (token.isListed && token.logo !== undefined)
    return <img class="coin" src={token.logo} width={size} height={size} alt="" />
  const hash = hashOf(`${token.address}${token.address === 'ETH' ? '' : token.chainId}`)
  const [hue, other] = [hash % 360, (hash >>> 9) % 360]
  const letters = [...plain(token.symbol.replace(/^0x/, ''), 12)]
    .slice(0, token.symbol.length > 3 ? 1 : 3)
    .join('')
  const turn = (hash >>> 18) % 180
  return (
    <svg class="coin" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={`hsl(${hue} 52% 34%)`} />
      <path
        d="M0 16a16 16 0 0 1 32 0z"
        fill={`hsl(${other} 55% 42%)`}
        transform={`rotate(${turn} 16 16)`}
        opacity="0.75"
      />
      <text
        x="16"
        y={letters.length > 1 ? 20 : 21.5}
        font-size={letters.length > 2 ? 10.5 : letters.length > 1 ? 12 : 15}
        font-weight="700"
        text-anchor="middle"
        fill="#fff"
      >
        {letters.toUpperCase()}
      </text>
    </svg>
  )
}

/** What had the focus before the first of several sheets opened. */
let opener: HTMLElement | undefined

/** A sheet over the page. The focus stays inside, and goes back when it closes. */
export function Sheet(props: {
  title: string
  onClose?: (() => void) | undefined
  children: ComponentChildren
  class?: string
}) {
  const { children, onClose, title } = props
  const ref = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement
    if (before instanceof HTMLElement && before.closest('dialog') === null) opener = before
    if (!dialog.open) dialog.showModal()
    // A click beside the sheet closes it, as Escape does.
    const beside = (event: Event) => {
      if (event.target === dialog) close.current?.()
    }
    dialog.addEventListener('click', beside)
    return () => {
      dialog.close()
      // The browser gives the focus back only if the dialog still stands in the page.
      if (opener?.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={`sheet ${props.class ?? ''}`}
      aria-labelledby="sheet-title"
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div class="sheet-body">
        <div class="sheet-top">
          <h2 id="sheet-title">{title}</h2>
          {onClose && (
            <button type="button" class="ghost" aria-label="Close" onClick={onClose}>
              <Icon name="cross" />
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}

export function Note({
  kind,
  children,
}: {
  kind: 'good' | 'bad' | 'unsure'
  children: ComponentChildren
}) {
  return (
    <p class={`note ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name={kind === 'good' ? 'check' : 'warn'} />
      <span>{children}</span>
    </p>
  )
}

export function Copyable({ title, text }: { title: string; text: string }) {
  return (
    <div class="command">
      <div>
        <h4>{title}</h4>
        <button
          type="button"
          class="plain small"
          onClick={(event) => copy(event.currentTarget as HTMLButtonElement, text)}
        >
          Copy
        </button>
      </div>
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  await navigator.clipboard?.writeText(text).then(
    () => {
      button.textContent = 'Copied'
    },
    () => {
      button.textContent = 'Select it'
    },
  )
}
