import type { editor } from 'monaco-editor/editor'
import { firstSpanOnLine } from '@/lib/core/mask/output-layout'
import { offsetAt, positionAt } from '@/lib/core/text/lines'
import { partitionPoint } from '@/lib/core/text/span'
import { sentMessagesOf } from '@/lib/state/costs/request-view'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { conversationOf } from '@/lib/state/document/selectors'
import { messageContaining, type ShownDocument } from '@/lib/state/document/shown-document'
import { firstMaskedOf } from '@/lib/state/document/text-preview'
import type { PlaygroundState } from '@/lib/state/store'
import { type EditorSession, endAll, onCaptured, type Pane, toPosition } from './editor-session'
import { monaco } from './setup'

/** Share of the pane's height at which a message is placed when it is scrolled into view. */
const REVEALED_AT = 0.25
const IMMEDIATE = 1
/** In pixels. */
const NARROWEST_PANE = 100

/** Selects the message clicked in this pane, and scrolls a message selected elsewhere into view. */
export function connectSelection(
  session: EditorSession,
  pane: Pane,
  paneEditor: editor.IStandaloneCodeEditor,
): () => void {
  const { store, actions } = session.playground
  const band = paneEditor.createDecorationsCollection()
  const others = paneEditor.createDecorationsCollection()
  /** What the highlights are drawn for. */
  const last: {
    document?: ShownDocument
    shown?: Pick<PlaygroundState, 'conversation' | 'request' | 'selection'>
  } = {}

  /** Converts offsets of the source to a range of this pane. */
  const rangeOf = ({ index }: ShownDocument, start: number, end: number) => {
    const at = (offset: number) => session.positionInPane(pane, positionAt(index, offset))
    return monaco.Range.fromPositions(at(start), at(end))
  }

  const showBand = (state: PlaygroundState, document: ShownDocument) => {
    const { selection } = state
    const messages = conversationOf(state)?.messages
    const message = selection && messages?.[selection.message]
    if (!selection || !message) return band.clear()
    const lineOf = (offset: number | undefined) =>
      offset === undefined ? undefined : positionAt(document.index, offset).line
    const sharesLine =
      lineOf(messages[selection.message - 1]?.end) === lineOf(message.start) ||
      lineOf(messages[selection.message + 1]?.start) === lineOf(message.end)
    const whole = { isWholeLine: true, marginClassName: 'mark-selected-margin' }
    const options = { zIndex: -1, className: 'mark-selected', ...(sharesLine ? {} : whole) }
    band.set(
      [message, ...message.otherSpans].map(({ start, end }) => ({
        range: rangeOf(document, start, end),
        options,
      })),
    )
  }

  const showOthers = (state: PlaygroundState, document: ShownDocument) => {
    const messages = conversationOf(state)?.messages
    const [first, last] = [messages?.[0], messages?.[sentMessagesOf(state) - 1]]
    const isWhole = document.read.model.conversations.length < 2 && state.request === undefined
    if (isWhole || !first || !last) return others.clear()
    const options = { inlineClassName: 'mark-text-other' }
    others.set([
      { range: rangeOf(document, 0, first.start), options },
      { range: rangeOf(document, last.end, document.index.length), options },
    ])
  }

  const reveal = (state: PlaygroundState, document: ShownDocument) => {
    const { selection } = state
    const message = selection && conversationOf(state)?.messages[selection.message]
    if (!message || selection.by === pane) return
    if (selection.by === 'source' || selection.by === 'output')
      alignAt(message.start, selection.by, document)
    else revealAt(message.start, document)
  }

  /** Scrolls to a position. The source pane scrolls for both panes, since the output pane follows it. */
  const revealAt = (offset: number, document: ShownDocument) => {
    if (pane === 'output') return
    const place = session.positionInPane(pane, positionAt(document.index, offset))
    const top = paneEditor.getTopForPosition(place.lineNumber, place.column)
    const { height } = paneEditor.getLayoutInfo()
    const isInSight =
      top >= paneEditor.getScrollTop() && top < paneEditor.getScrollTop() + height * 0.8
    session.leader = pane
    if (!isInSight) paneEditor.setScrollTop(Math.max(0, top - height * REVEALED_AT), IMMEDIATE)
    session.alignedAt = Math.max(0, top - paneEditor.getScrollTop())
    session.align?.()
  }

  /** Aligns a message at the same height in both panes without moving the clicked pane. */
  const alignAt = (offset: number, leader: Pane, document: ShownDocument) => {
    const from = session.editors[leader]
    if (from === undefined) return
    const place = session.positionInPane(leader, positionAt(document.index, offset))
    const top = from.getTopForPosition(place.lineNumber, place.column) - from.getScrollTop()
    session.leader = leader
    session.alignedAt = Math.min(Math.max(0, top), from.getLayoutInfo().height)
    session.align?.()
  }

  const show = (state: PlaygroundState) => {
    // Before layout every line is wrapped into a narrow column, so heights are meaningless.
    if (paneEditor.getLayoutInfo().contentWidth < NARROWEST_PANE) return
    if (isTooLargeToEdit(state) || session.isSetting[pane]) return
    const document = session.documentIn(pane)
    if (state.source.text === '') {
      band.clear()
      others.clear()
    }
    if (document === undefined || document.read !== state.read) return
    const isOtherRequest = state.request !== last.shown?.request
    const isOther = document !== last.document || state.conversation !== last.shown?.conversation
    const isChosenHere = document === last.document && isOther && !session.isChoosing
    const { isOpening } = session
    if (pane === 'source') session.isOpening = false
    if (isOther || isOtherRequest) showOthers(state, document)
    const isChosen = state.selection !== last.shown?.selection
    if (isOther || isChosen) showBand(state, document)
    last.document = document
    last.shown = state
    if (isChosen) reveal(state, document)
    if (state.selection !== undefined || !(isChosenHere || isOpening)) return
    const first = conversationOf(state)?.messages[0]?.start
    const start = isOpening ? (firstMaskedOf(state) ?? (state.conversation > 0 ? first : 0)) : first
    if (start !== undefined) revealAt(start, document)
  }

  const choose = (event: editor.ICursorPositionChangedEvent) => {
    const isFromUser = event.source === 'mouse' || event.source === 'keyboard'
    if (!isFromUser || event.reason !== monaco.editor.CursorChangeReason.Explicit) return
    if (paneEditor.getSelection()?.isEmpty() === false) return
    const state = store.getState()
    const document = session.documentIn(pane)
    if (document === undefined || document.read !== state.read) return
    const offset = offsetAt(document.index, session.sourcePosition(pane, event.position))
    const place = messageContaining(document.read.model.conversations, offset)
    if (place === undefined) return
    const { selection } = state
    const isSame =
      place.conversation === state.conversation &&
      selection?.message === place.message &&
      selection.result === place.result
    if (isSame) return
    session.isChoosing = true
    if (place.conversation !== state.conversation) actions.chooseConversation(place.conversation)
    session.isChoosing = false
    actions.select(place.message, place.result, pane)
  }

  const stop = store.subscribe(show)
  session.onSet[pane] = () => show(store.getState())
  show(store.getState())
  return endAll(
    stop,
    // Setting a new text removes the highlights.
    paneEditor.onDidChangeModelContent(({ isFlush }) => {
      if (isFlush) delete last.document
    }),
    paneEditor.onDidChangeCursorPosition(choose),
    paneEditor.onDidLayoutChange(() => show(store.getState())),
    () => {
      session.onSet[pane] = undefined
    },
  )
}

type Editor = editor.IStandaloneCodeEditor

/**
 * Synchronises the scroll positions of the panes, so that the same part of the conversation is at the same height,
 * although wrapped lines and placeholders have different heights. The pane that the user scrolls leads.
 */
export function syncScroll(session: EditorSession, pane: Pane, paneEditor: Editor): () => void {
  const lead = () => {
    session.leader = pane
  }
  session.align = () => align(session)
  // An editor wraps lines some time after its text changes, which can break the alignment.
  let frame = 0
  const alignSoon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => align(session))
  }
  const events = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const
  return endAll(
    () => cancelAnimationFrame(frame),
    ...events.map((event) => onCaptured(paneEditor, event, lead)),
    paneEditor.onDidScrollChange(({ scrollTopChanged }) => {
      if (scrollTopChanged && session.leader === pane) align(session)
    }),
    paneEditor.onDidLayoutChange(alignSoon),
    paneEditor.onDidContentSizeChange(({ contentHeightChanged }) => {
      if (contentHeightChanged) alignSoon()
    }),
  )
}

function align(session: EditorSession): void {
  if (session.shown === undefined) return
  const from = session.editors[session.leader]
  const to = session.editors[session.leader === 'source' ? 'output' : 'source']
  if (from === undefined || to === undefined) return
  const scrollTop = from.getScrollTop()
  // At the top of one pane, the other is at the top too.
  const offset = Math.min(session.alignedAt, scrollTop)
  const target = heightInOther(session, from, to, scrollTop + offset) - offset
  if (Math.abs(to.getScrollTop() - target) >= 1) to.setScrollTop(target, IMMEDIATE)
}

/** Converts a scroll height of one pane to that of the other. */
function heightInOther(session: EditorSession, from: Editor, to: Editor, height: number): number {
  const line = lineAt(from, height)
  const heightOf = anchorsOfLine(session, line)
  const isAbove = (anchor: number) => heightOf.anchor(from, anchor) <= height
  // Find the last anchor at or above the height.
  const low = partitionPoint(1, heightOf.count, isAbove) - 1
  const [above, below] = [heightOf.anchor(from, low), heightOf.anchor(from, low + 1)]
  const share = below > above ? Math.min(1, Math.max(0, (height - above) / (below - above))) : 0
  const [otherAbove, otherBelow] = [heightOf.anchor(to, low), heightOf.anchor(to, low + 1)]
  // The height is above the first line.
  if (height < above) return otherAbove - (above - height)
  return otherAbove + share * (otherBelow - otherAbove)
}

/** Heights that correspond in both panes: top of the line, edges of its spans, bottom. */
function anchorsOfLine(session: EditorSession, line: number) {
  const { shown } = session
  const spans = shown?.document.spans ?? []
  const first = firstSpanOnLine(spans, line)
  const count = firstSpanOnLine(spans, line + 1) - first
  const text = shown?.document.read.source.text ?? ''
  const anchor = (editor: Editor, at: number): number => {
    const last = editor.getModel()?.getLineCount() ?? 1
    if (line > last) return editor.getBottomForLineNumber(last)
    if (at === 0) return editor.getTopForLineNumber(line)
    if (at > 2 * count) return editor.getBottomForLineNumber(line)
    const span = first + ((at - 1) >> 1)
    const isEnd = at % 2 === 0
    const { start, end, column: sourceColumn } = spans[span] as (typeof spans)[number]
    const isOutput = editor === session.editors.output
    const from = isOutput ? (shown?.layout.columns[span] as number) : sourceColumn
    const length = isOutput ? (shown?.layout.lengths[span] as number) : end - start
    const { column } = toPosition(text, { line, column: isEnd ? from + length : from })
    return editor.getTopForPosition(line, column)
  }
  return { count: 2 * count + 1, anchor }
}

function lineAt(paneEditor: Editor, height: number): number {
  const lines = paneEditor.getModel()?.getLineCount() ?? 1
  return partitionPoint(2, lines + 1, (line) => paneEditor.getTopForLineNumber(line) <= height) - 1
}
