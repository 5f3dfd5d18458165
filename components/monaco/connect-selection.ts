import type { editor } from 'monaco-editor/editor'
import { lineColumnAt, offsetAt } from '@/lib/core/text/line-index'
import { sentMessagesOf } from '@/lib/state/request-view'
import { conversationOf, isCurrent } from '@/lib/state/selectors'
import { messageAt, type ShownDocument, showDocument } from '@/lib/state/shown-document'
import type { PlaygroundState, Selection } from '@/lib/state/store'
import type { Pane } from './marks'
import { type EditorSession, placeInPane, positionInPane } from './session'
import { monaco } from './setup'

/** Where a message that was out of sight comes to stand, as a share of the pane's height. */
const REVEALED_AT = 0.25
const IMMEDIATE = 1
/** In pixels. */
const NARROWEST_PANE = 100

/** A message chosen in a pane is chosen everywhere; one chosen elsewhere is brought into sight here. */
export function connectSelection(
  session: EditorSession,
  pane: Pane,
  own: editor.IStandaloneCodeEditor,
): () => void {
  const { store, actions } = session.playground
  const band = own.createDecorationsCollection()
  const others = own.createDecorationsCollection()
  let shownSelection: Selection | undefined
  let shownFor: ShownDocument | undefined
  let shownConversation = -1
  let shownRequest: number | undefined

  const documentOf = (state: PlaygroundState): ShownDocument | undefined => {
    if (pane === 'output') return session.shown?.document
    return state.read !== undefined && isCurrent(state) ? showDocument(state.read) : undefined
  }

  /** Offsets of the source as a range of this pane. */
  const rangeOf = ({ index }: ShownDocument, start: number, end: number) => {
    const [from, to] = [start, end].map((offset) =>
      positionInPane(session, pane, lineColumnAt(index, offset)),
    )
    return monaco.Range.fromPositions(from as monaco.IPosition, to as monaco.IPosition)
  }

  const showBand = (state: PlaygroundState, document: ShownDocument) => {
    const { selection } = state
    const messages = conversationOf(state)?.messages
    const message = selection && messages?.[selection.message]
    if (!selection || !message) return band.clear()
    const ranges = [message, ...message.more].map(({ start, end }) =>
      rangeOf(document, start, end),
    ) as [monaco.Range, ...monaco.Range[]]
    const [range] = ranges
    const [previous, next] = [messages[selection.message - 1], messages[selection.message + 1]]
    const sharesLine =
      (previous !== undefined &&
        lineColumnAt(document.index, previous.end).line === range.startLineNumber) ||
      (next !== undefined && lineColumnAt(document.index, next.start).line === range.endLineNumber)
    const options = { zIndex: -1 }
    const whole = {
      ...options,
      isWholeLine: true,
      className: 'mark-selected',
      marginClassName: 'mark-selected-margin',
    }
    band.set(
      ranges.map((piece) => ({
        range: piece,
        options: sharesLine ? { ...options, className: 'mark-selected' } : whole,
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

  /** Brings a place into sight. The source pane does it for both, since the output pane follows it. */
  const revealAt = (offset: number, document: ShownDocument) => {
    if (pane === 'output') return
    const place = positionInPane(session, pane, lineColumnAt(document.index, offset))
    const top = own.getTopForPosition(place.lineNumber, place.column)
    const { height } = own.getLayoutInfo()
    const isInSight = top >= own.getScrollTop() && top < own.getScrollTop() + height * 0.8
    session.leader = pane
    if (!isInSight) own.setScrollTop(Math.max(0, top - height * REVEALED_AT), IMMEDIATE)
    session.alignedAt = Math.max(0, top - own.getScrollTop())
    session.align?.()
  }

  /** Puts a message at the same height in both panes, the chooser's pane standing still. */
  const alignAt = (offset: number, leader: Pane, document: ShownDocument) => {
    const from = session.editors[leader]
    if (from === undefined) return
    const place = positionInPane(session, leader, lineColumnAt(document.index, offset))
    const top = from.getTopForPosition(place.lineNumber, place.column) - from.getScrollTop()
    session.leader = leader
    session.alignedAt = Math.min(Math.max(0, top), from.getLayoutInfo().height)
    session.align?.()
  }

  const show = (state: PlaygroundState) => {
    // Before it has its width every line is wrapped into a column, and no height means anything.
    if (own.getLayoutInfo().contentWidth < NARROWEST_PANE) return
    const document = documentOf(state)
    if (state.source.text === '') {
      band.clear()
      others.clear()
    }
    if (document === undefined || document.read !== state.read) return
    const isOtherRequest = state.request !== shownRequest
    const isOther = document !== shownFor || state.conversation !== shownConversation
    const isChosenHere = document === shownFor && isOther && !session.isChoosing
    // A document may open at another conversation than its first; what is typed on stays in sight by itself.
    const isOpened = document !== shownFor && state.source.origin.kind !== 'typed'
    const isJump = isChosenHere || (isOpened && state.conversation > 0)
    if (isOther || isOtherRequest) showOthers(state, document)
    const isChosen = state.selection !== shownSelection
    if (isOther || isChosen) showBand(state, document)
    shownFor = document
    shownConversation = state.conversation
    shownRequest = state.request
    shownSelection = state.selection
    if (isChosen) reveal(state, document)
    const first = conversationOf(state)?.messages[0]
    if (isJump && state.selection === undefined && first) revealAt(first.start, document)
  }

  const choose = (event: editor.ICursorPositionChangedEvent) => {
    const isOwn = event.source === 'mouse' || event.source === 'keyboard'
    if (!isOwn || event.reason !== monaco.editor.CursorChangeReason.Explicit) return
    if (own.getSelection()?.isEmpty() === false) return
    const state = store.getState()
    const document = documentOf(state)
    if (document === undefined || document.read !== state.read) return
    const offset = offsetAt(document.index, placeInPane(session, pane, event.position))
    const place = messageAt(document.read.model.conversations, offset)
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

  // A text that is set anew loses its bands.
  const setting = own.onDidChangeModelContent(({ isFlush }) => {
    if (isFlush) shownFor = undefined
  })
  const listening = own.onDidChangeCursorPosition(choose)
  const layout = own.onDidLayoutChange(() => show(store.getState()))
  const stop = store.subscribe(show)
  show(store.getState())
  return () => {
    stop()
    layout.dispose()
    listening.dispose()
    setting.dispose()
  }
}
