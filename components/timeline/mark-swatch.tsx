import type { MarkKind } from '@/lib/state/timeline/mark-kind'

/** A small timeline mark with the same shape and colour. */
export function MarkSwatch({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 12" className="h-3 w-2 shrink-0">
      {swatchOf(kind)}
    </svg>
  )
}

function swatchOf(kind: MarkKind) {
  switch (kind) {
    case 'masked':
      return (
        <>
          <rect x="1" y="1" width="6" height="11" className="fill-accent opacity-20" />
          <rect x="1" y="7" width="6" height="5" className="fill-accent" />
        </>
      )
    case 'in_window':
      return <rect x="1" y="3" width="6" height="9" className="fill-good" />
    case 'kept_error':
      return (
        <>
          <circle cx="4" cy="2" r="1.8" className="fill-warn" />
          <rect x="1" y="5" width="6" height="7" className="fill-warn" />
        </>
      )
    case 'broken':
      return (
        <>
          <path d="M2 .5 6 4.5M6 .5 2 4.5" strokeWidth="1.4" className="stroke-bad" />
          <rect x="1.5" y="6.5" width="5" height="5.5" className="fill-none stroke-bad" />
        </>
      )
    case 'kept':
      return <rect x="1.5" y="3.5" width="5" height="8" className="fill-ghost/30 stroke-ghost" />
    case 'user':
      return <rect x="1" y="3" width="6" height="9" className="fill-ink" />
    case 'system':
      return <rect x="1" y="3" width="6" height="9" className="fill-faint opacity-70" />
    case 'assistant':
    case 'other':
      return <rect x="1" y="3" width="6" height="9" className="fill-ghost opacity-40" />
  }
}
