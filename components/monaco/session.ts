import type { editor, IPosition } from 'monaco-editor/editor'
import { type OutputLayout, toOutput, toSource } from '@/lib/core/mask/output-layout'
import type { LineColumn } from '@/lib/core/text/line-index'
import type { Playground } from '@/lib/state/playground'
import type { DocumentDecisions } from '@/lib/state/selectors'
import type { ShownDocument } from '@/lib/state/shown-document'
import type { Pane } from './marks'
import { fromPosition, toPosition } from './text-places'

/** What the output editor shows at this moment. */
export interface ShownOutput {
  readonly document: ShownDocument
  readonly decisions: DocumentDecisions
  readonly layout: OutputLayout
}

/** What the two editors of one playground know of each other. */
export interface EditorSession {
  readonly playground: Playground
  readonly editors: { [pane in Pane]?: editor.IStandaloneCodeEditor | undefined }
  shown: ShownOutput | undefined
  /** Set by the scrolling together; called when a pane's text or the place of interest changed. */
  align: (() => void) | undefined
  /** Called before a whole text is set: the comparison takes old line numbers for the new text's and throws. */
  pauseComparison: (() => void) | undefined
  /** Pixels below the upper edge at which both panes show the same place. */
  alignedAt: number
  /** The pane the user moves; the other follows. */
  leader: Pane
  /** True while a click in a pane chooses another conversation and then a message of it. */
  isChoosing: boolean
}

const sessions = new WeakMap<Playground, EditorSession>()

/** The one session of a playground. */
export function sessionOf(playground: Playground): EditorSession {
  const known = sessions.get(playground)
  if (known !== undefined) return known
  const session: EditorSession = {
    playground,
    editors: {},
    shown: undefined,
    align: undefined,
    pauseComparison: undefined,
    alignedAt: 0,
    leader: 'source',
    isChoosing: false,
  }
  sessions.set(playground, session)
  return session
}

/** Where a pane shows a place of the source text. */
export function positionInPane(session: EditorSession, pane: Pane, place: LineColumn): IPosition {
  const { shown, playground } = session
  if (pane === 'source') return toPosition(playground.store.getState().source.text, place)
  if (shown === undefined) return { lineNumber: place.line, column: place.column }
  const moved = toOutput(shown.document.slots, shown.layout, place)
  return toPosition(shown.document.read.source.text, moved)
}

/** The place of the source text that a pane shows at a position. */
export function placeInPane(session: EditorSession, pane: Pane, position: IPosition): LineColumn {
  const { shown, playground } = session
  if (pane === 'source') return fromPosition(playground.store.getState().source.text, position)
  if (shown === undefined) return { line: position.lineNumber, column: position.column }
  const place = fromPosition(shown.document.read.source.text, position)
  return toSource(shown.document.slots, shown.layout, place)
}
