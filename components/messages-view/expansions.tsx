'use client'

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'

/** Number of shown UTF-16 units by part; 0 or absent means folded. */
type Expansions = ReadonlyMap<string, number>

interface ExpansionsContext {
  readonly expansions: Expansions
  readonly set: (part: string, shown: number) => void
}

const Context = createContext<ExpansionsContext | undefined>(undefined)

/** Stores which parts are expanded in a list whose items unmount while scrolling. */
export function ExpansionsProvider({
  children,
  onFold,
}: {
  readonly children: ReactNode
  /** Called with the name of a part after it was folded. */
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

/** The shown length of a part, and a function to change it. */
export function useExpansion(part: string): readonly [number, (shown: number) => void] {
  const context = useContext(Context)
  if (context === undefined) throw new Error('useExpansion needs an ExpansionsProvider above it.')
  const { expansions, set } = context
  return [expansions.get(part) ?? 0, (shown) => set(part, shown)]
}
