'use client'

import { loadWithTexts } from './load-with-texts'
import { useAfterFigures } from './use-after-figures'

const Loaded = loadWithTexts<object>(
  () => import('./workbench').then(({ Workbench }) => Workbench),
  Placeholder,
)

/** The part of the page below the first figures. Its code and its texts load after them, so that they do not delay them. */
export function LazyWorkbench() {
  return useAfterFigures() ? <Loaded /> : <Placeholder />
}

/** The edges of the policy and the two panes; as high as what replaces it, so that nothing below it moves. */
function Placeholder() {
  const pane = (
    <div className="flex-1 border-line border-r max-lg:hidden">
      <div className="h-10 border-b" />
    </div>
  )
  return (
    <main className="flex min-h-[80dvh] flex-1 lg:min-h-0">
      <div className="w-80 shrink-0 border-line border-r max-lg:hidden" />
      {pane}
      {pane}
    </main>
  )
}
