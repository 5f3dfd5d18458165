'use client'

import { type ReactNode, useState } from 'react'

export interface DetailsTableProps {
  readonly label: string
  /** The head and the body of the table, rendered only once it is opened. */
  readonly children: ReactNode
}

/** A scrolling table of numbers, closed at first. */
export function DetailsTable({ label, children }: DetailsTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm py-1 text-soft text-sm hover:text-ink pointer-coarse:py-3">
        {label}
      </summary>
      {isOpen && (
        <section
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          className="mt-1 max-h-64 overflow-auto rounded-md border border-line"
        >
          <table className="w-full text-right text-sm [&_td]:px-2.5 [&_td]:py-0.5 [&_th]:px-2.5 [&_th]:py-1 [&_th]:font-medium">
            {children}
          </table>
        </section>
      )}
    </details>
  )
}
