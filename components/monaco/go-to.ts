import { lineColumnAt } from '@/lib/core/text/lines'
import type { Offset } from '@/lib/core/text/span'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import type { Playground } from '@/lib/state/playground'
import { editorSessionOf, positionInPane } from './editor-session'

/** Moves the cursor of the source pane to an offset, scrolls to it and focuses the pane. */
export function goTo(playground: Playground, offset: Offset): void {
  const session = editorSessionOf(playground)
  const { text } = playground.store.getState().source
  const position = positionInPane(session, 'source', lineColumnAt(lineIndexOf(text), offset))
  const { source } = session.editors
  source?.setPosition(position)
  source?.revealPositionInCenterIfOutsideViewport(position)
  source?.focus()
}
