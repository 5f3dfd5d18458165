import type { editor } from 'monaco-editor/editor'
import { lineColumnAt, offsetAt } from '@/lib/core/text/lines'
import { sentMessagesOf } from '@/lib/state/costs/request-view'
import type { Selection } from '@/lib/state/document/document-slice'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { conversationOf, currentReadOf } from '@/lib/state/document/selectors'
import {
  messageContaining,
  type ShownDocument,
  shownDocumentOf,
} from '@/lib/state/document/shown-document'
import { decisionsOf } from '@/lib/state/policy/policy-view'
import type { PlaygroundState } from '@/lib/state/store'
import { type EditorSession, placeInPane, positionInPane } from './editor-session'
import type { Pane } from './marks'
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
  let shownSelection: Selection | undefined
  let shownFor: ShownDocument | undefined
  let shownConversation = -1
  let shownRequest: number | undefined

  const documentOf = (state: PlaygroundState): ShownDocument | undefined => {
    if (pane === 'output') return session.shown?.document
    const read = currentReadOf(state)
    return read && shownDocumentOf(read)
  }

  /** Converts offsets of the source to a range of this pane. */
  const rangeOf = ({ index }: ShownDocument, start: number, end: number) => {
    const at = (offset: number) => positionInPane(session, pane, lineColumnAt(index, offset))
    return monaco.Range.fromPositions(at(start), at(end))
  }

  const showBand = (state: PlaygroundState, document: ShownDocument) => {
    const { selection } = state
    const messages = conversationOf(state)?.messages
    const message = selection && messages?.[selection.message]
    if (!selection || !message) return band.clear()
    const lineOf = (offset: number | undefined) =>
      offset === undefined ? undefined : lineColumnAt(document.index, offset).line
    const sharesLine =
      lineOf(messages[selection.message - 1]?.end) === lineOf(message.start) ||
      lineOf(messages[selection.message + 1]?.start) === lineOf(message.end)
    const whole = { isWholeLine: true, marginClassName: 'mark-selected-margin' }
    const options = { zIndex: -1, className: 'mark-selected', ...(sharesLine ? {} : whole) }
    band.set(
      [message, ...message.otherPieces].map(({ start, end }) => ({
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
    const place = positionInPane(session, pane, lineColumnAt(document.index, offset))
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
    const place = positionInPane(session, leader, lineColumnAt(document.index, offset))
    const top = from.getTopForPosition(place.lineNumber, place.column) - from.getScrollTop()
    session.leader = leader
    session.alignedAt = Math.min(Math.max(0, top), from.getLayoutInfo().height)
    session.align?.()
  }

  const show = (state: PlaygroundState) => {
    // Before layout every line is wrapped into a narrow column, so heights are meaningless.
    if (paneEditor.getLayoutInfo().contentWidth < NARROWEST_PANE) return
    if (isTooLargeToEdit(state) || session.isSetting[pane]) return
    const document = documentOf(state)
    if (state.source.text === '') {
      band.clear()
      others.clear()
    }
    if (document === undefined || document.read !== state.read) return
    const isOtherRequest = state.request !== shownRequest
    const isOther = document !== shownFor || state.conversation !== shownConversation
    const isChosenHere = document === shownFor && isOther && !session.isChoosing
    const { isOpening } = session
    if (pane === 'source') session.isOpening = false
    if (isOther || isOtherRequest) showOthers(state, document)
    const isChosen = state.selection !== shownSelection
    if (isOther || isChosen) showBand(state, document)
    shownFor = document
    shownConversation = state.conversation
    shownRequest = state.request
    shownSelection = state.selection
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
    const document = documentOf(state)
    if (document === undefined || document.read !== state.read) return
    const offset = offsetAt(document.index, placeInPane(session, pane, event.position))
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

  const listening = [
    // Setting a new text removes the highlights.
    paneEditor.onDidChangeModelContent(({ isFlush }) => {
      if (isFlush) shownFor = undefined
    }),
    paneEditor.onDidChangeCursorPosition(choose),
    paneEditor.onDidLayoutChange(() => show(store.getState())),
  ]
  const stop = store.subscribe(show)
  session.onSet[pane] = () => show(store.getState())
  show(store.getState())
  return () => {
    stop()
    session.onSet[pane] = undefined
    for (const each of listening) each.dispose()
  }
}

/** Where the message of the first masked result starts; undefined if none is masked. */
function firstMaskedOf(state: PlaygroundState): number | undefined {
  const decisions = decisionsOf(state)?.[state.conversation]
  const index = decisions?.findIndex(({ action }) => action === 'mask') ?? -1
  const conversation = conversationOf(state)
  const message = conversation?.results[index]?.message
  return message === undefined ? undefined : conversation?.messages[message]?.start
}
