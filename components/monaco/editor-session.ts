import type { editor, IPosition } from 'monaco-editor/editor'
import { type OutputLayout, toOutput, toSource } from '@/lib/core/mask/output-layout'
import type { LineColumn } from '@/lib/core/text/lines'
import type { ShownDocument } from '@/lib/state/document/shown-document'
import type { Playground } from '@/lib/state/playground'
import type { DocumentDecisions } from '@/lib/state/policy/policy-view'
import { fromPosition, toPosition } from './editor-positions'
import type { Pane } from './marks'

/** A layout that is brought up to date line by line. */
export type MutableLayout = { readonly [Key in keyof OutputLayout]: OutputLayout[Key][number][] }

/** The document that the output editor shows, the decisions that it is to show, and the layout of its present text. */
export interface ShownOutput {
  readonly document: ShownDocument
  readonly decisions: DocumentDecisions
  readonly layout: MutableLayout
}

/** State shared by the two editors of a playground. */
export interface EditorSession {
  readonly playground: Playground
  readonly editors: { [pane in Pane]?: editor.IStandaloneCodeEditor | undefined }
  shown: ShownOutput | undefined
  /** True while the text of a pane is set in parts, so its last lines are missing. */
  readonly isSetting: { [pane in Pane]: boolean }
  /** Called once a text that was set in parts is complete. */
  readonly onSet: { [pane in Pane]?: (() => void) | undefined }
  /** Set by `sync-scroll`. Called when the text of a pane or the position to align changes. */
  align: (() => void) | undefined
  /** Called before a full text is set. Otherwise the comparison applies old line numbers to the new text and throws. */
  pauseComparison: (() => void) | undefined
  /** Distance from the upper edge, in pixels, at which both panes show the same position. */
  alignedAt: number
  /** The pane the user moves; the other follows. */
  leader: Pane
  /** True from opening or pasting a document until its first masked result is scrolled into view. */
  isOpening: boolean
  /** True while a click in a pane chooses another conversation and then a message of it. */
  isChoosing: boolean
}

const sessions = new WeakMap<Playground, EditorSession>()

/** Returns the session of a playground, creating it if needed. */
export function editorSessionOf(playground: Playground): EditorSession {
  const known = sessions.get(playground)
  if (known !== undefined) return known
  const session: EditorSession = {
    playground,
    editors: {},
    shown: undefined,
    isSetting: { source: false, output: false },
    onSet: {},
    align: undefined,
    pauseComparison: undefined,
    alignedAt: 0,
    leader: 'source',
    isOpening: false,
    isChoosing: false,
  }
  sessions.set(playground, session)
  return session
}

/** Converts a position in the source text to a position in a pane. */
export function positionInPane(session: EditorSession, pane: Pane, place: LineColumn): IPosition {
  const { shown, playground } = session
  if (pane === 'source') return toPosition(playground.store.getState().source.text, place)
  if (shown === undefined) return { lineNumber: place.line, column: place.column }
  const moved = toOutput(shown.document.slots, shown.layout, place)
  return toPosition(shown.document.read.source.text, moved)
}

/** Converts a position in a pane to a position in the source text. */
export function placeInPane(session: EditorSession, pane: Pane, position: IPosition): LineColumn {
  const { shown, playground } = session
  if (pane === 'source') return fromPosition(playground.store.getState().source.text, position)
  if (shown === undefined) return { line: position.lineNumber, column: position.column }
  const place = fromPosition(shown.document.read.source.text, position)
  return toSource(shown.document.slots, shown.layout, place)
}
