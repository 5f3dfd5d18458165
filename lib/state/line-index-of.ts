import { indexLines, type LineIndex } from '@/lib/core/text/line-index'

let last: { readonly text: string; readonly index: LineIndex } | undefined

/** The line index of a text; the last one is remembered, since panes and messages ask for the same. */
export function lineIndexOf(text: string): LineIndex {
  if (last?.text !== text) last = { text, index: indexLines(text) }
  return last.index
}
