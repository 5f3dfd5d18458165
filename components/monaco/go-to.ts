import { lineColumnAt } from '@/lib/core/text/line-index'
import type { Offset } from '@/lib/core/text/span'
import { lineIndexOf } from '@/lib/state/line-index-of'
import type { Playground } from '@/lib/state/playground'
import { positionInPane, sessionOf } from './session'

/** Puts the cursor of the source pane at an offset of its text, in sight and in focus. */
export function goTo(playground: Playground, offset: Offset): void {
  const session = sessionOf(playground)
  const { text } = playground.store.getState().source
  const position = positionInPane(session, 'source', lineColumnAt(lineIndexOf(text), offset))
  const { source } = session.editors
  source?.setPosition(position)
  source?.revealPositionInCenterIfOutsideViewport(position)
  source?.focus()
}
