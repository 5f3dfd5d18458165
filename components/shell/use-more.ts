import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { usePlayground } from '../playground-context'

/** Buttons that are pressed several times, or that open a menu. */
const STAYING = '[data-is-repeated], [aria-haspopup]'

export interface More {
  readonly isOpen: boolean
  readonly toggle: () => void
  readonly row: RefObject<HTMLDivElement | null>
  readonly button: RefObject<HTMLButtonElement | null>
}

/**
 * The second row of a narrow header. It closes by Escape, by an action in it, by a press elsewhere and when another
 * document is opened. A focus in it, or one that is lost, goes to the button that opens it.
 */
export function useMore(): More {
  const [isOpen, setOpen] = useState(false)
  const row = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { store } = usePlayground()
  useLayoutEffect(() => {
    if (!isOpen) return
    const close = () => setOpen(false)
    let frame = 0
    // A menu needs its button until it has left.
    const closeAfterMenu = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(
        document.querySelector('[role=menu]') === null ? close : closeAfterMenu,
      )
    }
    const stopWatching = store.subscribe(({ source }, { source: before }) => {
      if (source.document !== before.document || source.name !== before.name) closeAfterMenu()
    })
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || button.current?.contains(target)) return
      if (target.closest('[role=menu]')) {
        if (target.closest('[role^=menuitem]')) closeAfterMenu()
      } else if (!row.current?.contains(target)) close()
      else if (target.closest('button') && !target.closest(STAYING)) close()
    }
    const onKeyDown = ({ key, target }: KeyboardEvent) => {
      const isInPopup = target instanceof Element && target.closest('[role=menu], [role=dialog]')
      const isMenuOpen = row.current?.querySelector('[aria-haspopup][aria-expanded=true]')
      if (key === 'Escape' && !isInPopup && !isMenuOpen) close()
    }
    // Before the action runs: what it opens gives the focus back to where it was.
    addEventListener('click', onClick, true)
    // Before a tooltip uses the key.
    addEventListener('keydown', onKeyDown, true)
    const current = row.current
    return () => {
      cancelAnimationFrame(frame)
      stopWatching()
      removeEventListener('click', onClick, true)
      removeEventListener('keydown', onKeyDown, true)
      const focused = document.activeElement
      if (focused === document.body || current?.contains(focused)) button.current?.focus()
    }
  }, [isOpen, store])
  return { isOpen, toggle: () => setOpen((before) => !before), row, button }
}
