import type { Conversation, ToolResult } from '../conversation/conversation'
import type { Decision } from '../policy/decide'
import { writeEmbeddedString } from '../text/embedded-json'
import type { Edit } from '../text/span'

/** An edit, and the number of JSON strings around its place. */
export interface MaskEdit extends Edit {
  readonly encoded: number
}

/** The edits that apply one decision: each string becomes the placeholder or the filler of its slot. */
export function editsOfResult(result: Pick<ToolResult, 'slots'>, decision: Decision): MaskEdit[] {
  const { placeholder } = decision
  if (placeholder === undefined) return []
  return result.slots.map(({ start, end, encoded, filler }) => ({
    start,
    end,
    encoded,
    text: writeEmbeddedString(filler ?? placeholder, encoded),
  }))
}

/** The edits that mask a document, in ascending order. Decisions are by conversation and result and can be missing. */
export function maskEdits(
  conversations: readonly Pick<Conversation, 'results'>[],
  decisions: readonly (readonly Decision[])[],
): MaskEdit[] {
  const edits = conversations.flatMap(({ results }, at) =>
    results.flatMap((result, index) => {
      const decision = decisions[at]?.[index]
      return decision === undefined ? [] : editsOfResult(result, decision)
    }),
  )
  return edits.sort((a, b) => a.start - b.start)
}
