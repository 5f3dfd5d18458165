/** The lines at the first masked result, which both panes show until their editors are loaded. */
import { firstSpanOnLine, layoutOutput } from '@/lib/core/mask/output-layout'
import type { Reason } from '@/lib/core/policy/decide'
import { positionAt } from '@/lib/core/text/lines'
import { shownDecisionsOf } from '../costs/request-view'
import { isWritten, sentRequestOf } from '../costs/tried-mechanism'
import { decisionsOf } from '../policy/policy-view'
import { type PlaygroundState, select } from '../store'
import { conversationOf, currentReadOf } from './selectors'
import { shownDocumentOf } from './shown-document'

/** A piece of a line; `reason` is of the decision on the result that it shows. */
export interface PreviewPiece {
  readonly text: string
  readonly reason?: Reason | undefined
}

/** A line from 1, as each pane has it; the reason is that of the last result on it. */
interface PreviewLine extends Pick<PreviewPiece, 'reason'> {
  readonly number: number
  readonly source: readonly PreviewPiece[]
  readonly output: readonly PreviewPiece[]
}

/** More than a screen has. */
const MOST_LINES = 60
/** Before the line that the editors scroll to, a quarter of the screen down. */
const LINES_BEFORE = 20
/** In UTF-16 units; more than a screen shows of a line. */
const LONGEST_LINE = 8_000

/** Where the message of the first masked result starts; undefined if none is masked. */
export function firstMaskedOf(state: PlaygroundState): number | undefined {
  const decisions = decisionsOf(state)?.[state.conversation]
  const index = decisions?.findIndex(({ action }) => action === 'mask') ?? -1
  const conversation = conversationOf(state)
  const message = conversation?.results[index]?.message
  return message === undefined ? undefined : conversation?.messages[message]?.start
}

/** The lines, and the number of the one that the editors scroll to; undefined until the text is read. */
export const textPreviewOf = select(
  [currentReadOf, shownDecisionsOf, (state) => firstMaskedOf(state) ?? 0],
  (read, decisions, first) => {
    const { text } = read.source
    const { index, spans } = shownDocumentOf(read)
    const { texts } = layoutOutput(spans, decisions)
    const { line: shown } = positionAt(index, first)
    // Within the first screen, nothing is scrolled.
    const from = shown < MOST_LINES ? 1 : shown - LINES_BEFORE
    const last = Math.min(index.starts.length, shown + MOST_LINES)
    const lines = Array.from({ length: last - from + 1 }, (_, line): PreviewLine => {
      const number = from + line
      let at = index.starts[number - 1] as number
      const end = Math.min(index.starts[number] ?? text.length, at + LONGEST_LINE)
      const source: PreviewPiece[] = []
      const output: PreviewPiece[] = []
      let reason: Reason | undefined
      const pass = (to: number) => {
        const between = { text: text.slice(at, to) }
        source.push(between)
        output.push(between)
      }
      for (let span = firstSpanOnLine(spans, number); ; span++) {
        const next = spans[span]
        if (next?.line !== number || next.end > end) break
        pass(next.start)
        at = next.end
        reason = decisions[next.conversation]?.[next.result]?.reason
        const own = text.slice(next.start, at)
        source.push({ text: own, reason })
        output.push({ text: texts[span] ?? own, reason })
      }
      pass(end)
      return { number, source, output, reason }
    })
    return { lines, shown }
  },
)

/** The same for the start of the request that a mechanism sends. */
const sentPreviewOf = select([sentRequestOf], (sent) => {
  if (sent === null) return undefined
  const { text, changedLines } = sent
  const lines = text.split('\n', MOST_LINES).map((line, at): PreviewLine => {
    const reason: Reason | undefined = changedLines.includes(at + 1) ? 'masked' : undefined
    const pieces = [{ text: line, reason }]
    return { number: at + 1, source: pieces, output: pieces, reason }
  })
  return { lines, shown: 1 }
})

/** What the output pane has: that request where it is shown in place of the document. */
export const outputPreviewOf = (state: PlaygroundState): ReturnType<typeof textPreviewOf> =>
  isWritten(state) ? sentPreviewOf(state) : textPreviewOf(state)
