import type { ReactNode } from 'react'

/** What a drawer found in the transcript, as its first line. */
export function DrawerSentence({ children }: { readonly children: ReactNode }) {
  return <p className="mb-2.5 max-w-[100ch] shrink-0 font-medium lg:pr-10">{children}</p>
}
