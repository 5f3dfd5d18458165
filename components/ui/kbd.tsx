import type { ReactNode } from 'react'

/** A keyboard key. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border border-current/25 px-1 font-sans text-xs">
      {children}
    </kbd>
  )
}
