/** The lines at the first masked result, which both panes show until their editors are loaded. */
import { firstSpanOnLine, layoutOutput } from '@/lib/core/mask/output-layout'
import type { Reason } from '@/lib/core/policy/decide'
import { positionAt } from '@/lib/core/text/lines'
import { shownDecisionsOf } from '../costs/request-view'
import { decisionsOf } from '../policy/policy-view'
import { type PlaygroundState, select } from '../store'
import { conversationOf, currentReadOf } from './selectors'
import { shownDocumentOf } from './shown-document'

/** A piece of a line; `reason` is of the decision on the result that it shows. */
export interface PreviewPiece {
  readonly text: string
  readonly reason?: Reason | undefined
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
    const lines = Array.from({ length: last - from + 1 }, (_, line) => {
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
      // Lines are numbered from 1; the reason is that of the last result on the line.
      return { number, source, output, reason }
    })
    return { lines, shown }
  },
)
