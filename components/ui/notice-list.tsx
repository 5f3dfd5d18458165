import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './icon-button'

export interface NoticeItem {
  readonly id: number
  readonly kind: 'error' | 'info'
  readonly text: ReactNode
  readonly action?: ReactNode
}

export interface NoticeListProps {
  readonly label: string
  readonly notices: readonly NoticeItem[]
  readonly dismissLabel: string
  readonly onDismiss: (id: number) => void
  /** The pointer or the focus comes to the notices, or leaves them. */
  readonly onAttend: (isAttended: boolean) => void
}

/** Notices in a corner, newest last. The region stays mounted while empty, so that screen readers announce the first one. */
export function NoticeList({ label, notices, dismissLabel, onDismiss, onAttend }: NoticeListProps) {
  const list = useRef<HTMLElement>(null)
  const isPointed = useRef(false)
  const attend = () =>
    onAttend(isPointed.current || list.current?.contains(document.activeElement) === true)
  const point = (isNowPointed: boolean) => {
    isPointed.current = isNowPointed
    attend()
  }
  // A dismissed notice sends no event when it goes from under the pointer or with the focus.
  useEffect(() => {
    if (notices.length === 0) isPointed.current = false
    attend()
  })
  return (
    <section
      ref={list}
      aria-label={label}
      aria-live="polite"
      // Not on entering: a notice can appear under a pointer that rests.
      onPointerMove={() => point(true)}
      onPointerLeave={() => point(false)}
      onFocus={attend}
      onBlur={attend}
      className="pointer-events-none fixed right-4 bottom-12 z-60 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2"
    >
      {notices.map(({ id, kind, text, action }) => (
        <div
          key={id}
          role={kind === 'error' ? 'alert' : undefined}
          className="pointer-events-auto flex items-start gap-2.5 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 shadow-[0_12px_32px_#0000001f]"
        >
          <span
            aria-hidden
            className={`mt-2.5 size-2 shrink-0 rounded-full ${kind === 'error' ? 'bg-bad' : 'bg-accent'}`}
          />
          <div className="min-w-0 flex-1 break-words py-1">
            {text}
            {action !== undefined && <div className="mt-1">{action}</div>}
          </div>
          <IconButton label={dismissLabel} onClick={() => onDismiss(id)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  )
}
