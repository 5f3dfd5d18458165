import type { ReactNode } from 'react'

export interface PaneHeaderProps {
  readonly title: string
  readonly note?: ReactNode
  readonly children?: ReactNode
}

/** Header of a pane: title on the left, actions on the right. */
export function PaneHeader({ title, note, children }: PaneHeaderProps) {
  return (
    <header className="@container flex h-10 shrink-0 items-center gap-2.5 border-b bg-paper pr-3 pl-4 text-sm">
      {/* Hidden rather than squeezed to a single letter. */}
      <h2 className="@max-sm:sr-only truncate whitespace-nowrap font-semibold text-ink">{title}</h2>
      {note !== undefined && <span className="min-w-0 truncate text-soft">{note}</span>}
      <div className="ml-auto flex shrink-0 items-center gap-1.5">{children}</div>
    </header>
  )
}
