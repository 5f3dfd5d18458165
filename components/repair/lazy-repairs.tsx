'use client'

import { loadWithTexts } from '../load-with-texts'

/** Loaded when it is first shown. */
export const LazyRepairs = loadWithTexts<object>(() =>
  import('./repairs').then(({ Repairs }) => Repairs),
)
