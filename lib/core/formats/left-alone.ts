import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { partitionPoint } from '../text/partition-point'
import type { Span } from '../text/span'
import type { Evidence, Format } from './format'
import type { SourceDocument } from './source-document'

export interface RecognisedFormat {
  readonly format: Format
  readonly evidence: Evidence
}

/** Shapes that tell of message lists and nothing else: beside one, a list of another format may stand. */
const LISTS: readonly Evidence['shape'][] = ['body_lines', 'nested_lists', 'request_body']

/**
 * The problem of conversations that only other formats find in a document read as the chosen one; none when it reads
 * them all. Traces and session files repeat their messages in many places, and are not looked through.
 */
export function leftAlone(
  source: SourceDocument,
  chosen: RecognisedFormat,
  conversations: readonly ReadConversation[],
  recognised: readonly RecognisedFormat[],
): Problem[] {
  const { shape, lists } = chosen.evidence
  if (!LISTS.includes(shape)) return []
  const taken = conversations.flatMap(spanOf).sort((a, b) => a.start - b.start)
  const left: { readonly span: Span; readonly label: string }[] = []
  for (const { format, evidence } of recognised) {
    if (format === chosen.format || !LISTS.includes(evidence.shape)) continue
    // In one body, as many lists either way are the same list: not worth reading twice.
    if (shape === 'request_body' && evidence.lists <= lists) continue
    for (const span of conversationsOf(format, source).flatMap(spanOf)) {
      const at = placeIn(taken, span)
      if (at === undefined) continue
      taken.splice(at, 0, span)
      left.push({ span, label: format.label })
    }
  }
  const [first] = left
  if (first === undefined) return []
  const labels = [...new Set(left.map(({ label }) => label))].join(', ')
  const offset = left.reduce((least, { span }) => Math.min(least, span.start), first.span.start)
  return [{ code: 'other_formats', values: { count: left.length, labels }, offset }]
}

/** From its first message to its last; nothing of a conversation without any. */
function spanOf({ messages }: ReadConversation): Span[] {
  const [first] = messages
  if (first === undefined) return []
  return [{ start: first.start, end: messages.at(-1)?.end ?? first.end }]
}

/** Where a span belongs among others in their order; undefined when it overlaps one of them. */
function placeIn(spans: readonly Span[], { start, end }: Span): number | undefined {
  const at = partitionPoint(0, spans.length, (index) => (spans[index] as Span).start < start)
  const [before, after] = [spans[at - 1], spans[at]]
  const isFree = (before?.end ?? 0) <= start && end <= (after?.start ?? end)
  return isFree ? at : undefined
}

function conversationsOf(format: Format, source: SourceDocument): readonly ReadConversation[] {
  try {
    return format.read(source).conversations
  } catch (error) {
    if (error instanceof ReadError) return []
    throw error
  }
}
