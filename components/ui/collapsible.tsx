import { Collapsible as Base } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

const KINDS = { normal: 'font-medium', quiet: 'text-soft text-sm hover:text-ink' }

/** A heading that expands its content. The browser's search finds folded content. */
export function Collapsible(props: {
  readonly label: ReactNode
  readonly children: ReactNode
  /** Shown before the chevron, such as a count. */
  readonly trailing?: ReactNode
  readonly kind?: 'normal' | 'quiet'
}) {
  const { label, children, trailing, kind = 'normal' } = props
  return (
    <Base.Root>
      <Base.Trigger
        className={`group flex min-h-7 w-full cursor-pointer select-none items-center justify-between gap-2 rounded-sm text-left pointer-coarse:min-h-11 ${KINDS[kind]}`}
      >
        <span>{label}</span>
        <span className="flex items-center gap-1.5 text-soft text-sm">
          {trailing}
          <ChevronRight
            className="size-3.5 transition-transform group-data-panel-open:rotate-90"
            aria-hidden
          />
        </span>
      </Base.Trigger>
      <Base.Panel hiddenUntilFound>{children}</Base.Panel>
    </Base.Root>
  )
}
