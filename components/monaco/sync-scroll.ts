import type { editor } from 'monaco-editor/editor'
import { firstSlotOnLine } from '@/lib/core/mask/output-layout'
import { partitionPoint } from '@/lib/core/text/span'
import { type EditorSession, toPosition } from './editor-session'
import type { Pane } from './marks'

type Editor = editor.IStandaloneCodeEditor
const IMMEDIATE = 1

/**
 * Synchronises the scroll positions of the panes, so that the same part of the conversation is at the same height,
 * although wrapped lines and placeholders have different heights. The pane that the user scrolls leads.
 */
export function syncScroll(session: EditorSession, pane: Pane, paneEditor: Editor): () => void {
  const lead = () => {
    session.leader = pane
  }
  const leading = new AbortController()
  const options = { capture: true, passive: true, signal: leading.signal }
  for (const event of ['wheel', 'pointerdown', 'keydown', 'touchstart'])
    paneEditor.getDomNode()?.addEventListener(event, lead, options)

  session.align = () => align(session)
  // An editor wraps lines some time after its text changes, which can break the alignment.
  let frame = 0
  const alignSoon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => align(session))
  }
  const listening = [
    paneEditor.onDidScrollChange(({ scrollTopChanged }) => {
      if (scrollTopChanged && session.leader === pane) align(session)
    }),
    paneEditor.onDidLayoutChange(alignSoon),
    paneEditor.onDidContentSizeChange(({ contentHeightChanged }) => {
      if (contentHeightChanged) alignSoon()
    }),
  ]
  return () => {
    cancelAnimationFrame(frame)
    for (const each of listening) each.dispose()
    leading.abort()
  }
}

function align(session: EditorSession): void {
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

/** Heights that correspond in both panes: top of the line, edges of its slots, bottom. */
function anchorsOfLine(session: EditorSession, line: number) {
  const { shown } = session
  const slots = shown?.document.slots ?? []
  const first = firstSlotOnLine(slots, line)
  const count = firstSlotOnLine(slots, line + 1) - first
  const text = shown?.document.read.source.text ?? ''
  const anchor = (editor: Editor, at: number): number => {
    const last = editor.getModel()?.getLineCount() ?? 1
    if (line > last) return editor.getBottomForLineNumber(last)
    if (at === 0) return editor.getTopForLineNumber(line)
    if (at > 2 * count) return editor.getBottomForLineNumber(line)
    const slot = first + ((at - 1) >> 1)
    const isEnd = at % 2 === 0
    const { start, end, column: sourceColumn } = slots[slot] as (typeof slots)[number]
    const isOutput = editor === session.editors.output
    const from = isOutput ? (shown?.layout.columns[slot] as number) : sourceColumn
    const length = isOutput ? (shown?.layout.lengths[slot] as number) : end - start
    const { column } = toPosition(text, { line, column: isEnd ? from + length : from })
    return editor.getTopForPosition(line, column)
  }
  return { count: 2 * count + 1, anchor }
}

/** Returns the line at a height. */
function lineAt(paneEditor: Editor, height: number): number {
  const lines = paneEditor.getModel()?.getLineCount() ?? 1
  return partitionPoint(2, lines + 1, (line) => paneEditor.getTopForLineNumber(line) <= height) - 1
}
