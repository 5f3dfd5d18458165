'use client'

import { loadWithTexts } from '../load-with-texts'
import { useAfterFigures } from '../use-after-figures'

const Loaded = loadWithTexts<object>(() =>
  import('./go-to-request').then(({ GoToRequest }) => GoToRequest),
)

/** Loaded after the first figures. */
export function LazyGoToRequest() {
  return useAfterFigures() && <Loaded />
}
