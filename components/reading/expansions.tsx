'use client'

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'

/** How much of each part is shown, in UTF-16 units; 0 or absent is folded. */
type Expansions = ReadonlyMap<string, number>

interface ExpansionsContext {
  readonly expansions: Expansions
  readonly set: (part: string, shown: number) => void
}

const Context = createContext<ExpansionsContext | undefined>(undefined)

/** Remembers what is unfolded in a list whose items come and go. */
export function ExpansionsProvider({
  children,
  onFold,
}: {
  readonly children: ReactNode
  /** Told after a part was folded, by its name. */
  readonly onFold: (part: string) => void
}) {
  const [expansions, setExpansions] = useState<Expansions>(new Map())
  const set = useCallback(
    (part: string, shown: number) => {
      setExpansions((known) => new Map(known).set(part, shown))
      if (shown === 0) onFold(part)
    },
    [onFold],
  )
  const value = useMemo(() => ({ expansions, set }), [expansions, set])
  return <Context value={value}>{children}</Context>
}

/** How much of a part is shown, and the way to change it. */
export function useExpansion(part: string): readonly [number, (shown: number) => void] {
  const context = useContext(Context)
  if (context === undefined) throw new Error('useExpansion needs an ExpansionsProvider above it.')
  const { expansions, set } = context
  return [expansions.get(part) ?? 0, (shown) => set(part, shown)]
}
