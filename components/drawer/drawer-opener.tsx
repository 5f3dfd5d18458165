import { ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { isOutdated } from '@/lib/state/document/selectors'
import { usePlaygroundState } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { type DrawerId, drawerId, openerId, useOpenDrawer } from './use-open-drawer'

/** Opens or closes a drawer from the footer. Its label summarises the drawer, faded while it belongs to an older text. */
export function DrawerOpener(props: {
  readonly drawer: DrawerId
  readonly title: string
  /** The label for screen readers. */
  readonly spoken: string
  /** Shown after the title. */
  readonly children?: ReactNode
}) {
  const { drawer, title, spoken, children } = props
  const isNarrow = useIsNarrow()
  const [open, setOpen] = useOpenDrawer()
  const isOpen = open === drawer
  const isOld = usePlaygroundState(isOutdated)
  return (
    <button
      id={openerId(drawer)}
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen && isNarrow === false ? drawerId(drawer) : undefined}
      onClick={() => setOpen(isOpen ? undefined : drawer)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) setOpen(undefined)
      }}
      className={`-my-1.5 flex shrink-0 max-lg:my-0 max-lg:min-h-7 cursor-pointer select-none items-center gap-1.5 border-t-2 py-1.5 pr-1 pointer-coarse:min-h-11 ${isOpen ? 'border-accent' : 'border-transparent hover:border-ghost forced-colors:border-[Canvas]'}`}
    >
      <span className={isOld && drawer !== 'files' ? 'faded' : ''}>
        <span className="sr-only">{spoken}</span>
        <span aria-hidden className="flex gap-1.5">
          <span className="font-medium text-ink">{title}</span>
          {children}
        </span>
      </span>
      <ChevronUp
        className={`size-3.5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        aria-hidden
      />
    </button>
  )
}
