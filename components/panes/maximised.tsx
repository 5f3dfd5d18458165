import { Maximize2, Minimize2 } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Pane } from '../monaco/editor-session'
import { IconButton } from '../ui/tooltip'
import { useWindowEvents } from '../use-events'

/** The pane that covers the other one; undefined if they are side by side. */
export interface Maximised {
  readonly pane: Pane | undefined
  readonly toggle: (pane: Pane) => void
}

/** Handles Alt+Enter, which maximises the pane with the focus or restores it, and Escape, which restores it. */
export function useMaximised(container: RefObject<HTMLElement | null>): Maximised {
  const [pane, setPane] = useState<Pane>()
  const toggle = (chosen: Pane) => setPane((before) => (before === chosen ? undefined : chosen))
  useWindowEvents({
    keydown: (event) => {
      const { target, key, altKey, ctrlKey, metaKey } = event
      if (event.defaultPrevented || ctrlKey || metaKey || !(target instanceof Element)) return
      const focused = target.closest<HTMLElement>('[data-pane]')?.dataset.pane
      const isInPanes = container.current?.contains(target)
      const isPane = isInPanes && (focused === 'source' || focused === 'output')
      if (altKey && key === 'Enter' && isPane) {
        event.preventDefault()
        toggle(focused)
      } else if (key === 'Escape' && !altKey && (isInPanes || target === document.body))
        setPane(undefined)
    },
  })
  return { pane, toggle }
}

/** Attributes of the section of a pane: one that is maximised covers the other, whose editor keeps its width. */
export function attributesOf(pane: Pane, { pane: maximised }: Partial<Maximised> = {}) {
  const isCovered = maximised !== undefined && maximised !== pane
  return {
    'data-pane': pane,
    inert: isCovered,
    className: `group/pane flex min-w-0 flex-col ${isCovered ? 'invisible size-full' : maximised === pane ? 'absolute inset-0 z-10 bg-paper' : 'size-full'}`,
  }
}

/** Maximises a pane, or restores it. */
export function MaximiseButton({ pane, maximised }: { pane: Pane; maximised: Maximised }) {
  const t = useTranslations('panes')
  const isMaximised = maximised.pane === pane
  return (
    <IconButton
      label={t('maximise')}
      tooltip={t(isMaximised ? 'restoreTip' : 'maximiseTip')}
      aria-pressed={isMaximised}
      onClick={() => maximised.toggle(pane)}
      icon={isMaximised ? Minimize2 : Maximize2}
    />
  )
}
