'use client'

import { loadWithTexts } from '../load-with-texts'
import { useAfterFigures } from '../playground-context'

const Loaded = loadWithTexts<object>(() => import('./pane').then(({ Pane }) => Pane))

/** What is below the first figures; its code loads after them. */
export function LazyPane() {
  return useAfterFigures() && <Loaded />
}
