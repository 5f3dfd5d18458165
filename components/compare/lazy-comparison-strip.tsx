'use client'

import { loadWithTexts } from '../load-with-texts'
import { usePlaygroundState } from '../playground-context'

const Loaded = loadWithTexts<object>(() =>
  import('./comparison-strip').then(({ ComparisonStrip }) => ComparisonStrip),
)

/** Loads when two policies are first compared. */
export function LazyComparisonStrip() {
  return usePlaygroundState(({ pinned }) => pinned !== undefined) && <Loaded />
}
