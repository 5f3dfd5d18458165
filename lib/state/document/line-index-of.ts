import { indexLines, type LineIndex } from '@/lib/core/text/lines'

let last: { readonly text: string; readonly index: LineIndex } | undefined

/** The line index of a text. Remembers the last text, which several views share. */
export function lineIndexOf(text: string): LineIndex {
  if (last?.text !== text) last = { text, index: indexLines(text) }
  return last.index
}
