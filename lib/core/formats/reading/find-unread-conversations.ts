import type { ReadConversation } from '../../conversation/conversation'
import { type Problem, ReadError } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { partitionPoint, type TextSpan } from '../../text/span'
import type { ProblemCode } from '../../words/words'
import { type Evidence, type Format, readOrProblem } from './format'
import type { SourceDocument } from './source-document'

export interface RecognisedFormat<Id extends string = string> {
  readonly format: Format<Id>
  readonly evidence: Evidence
}

/** Shapes of plain message lists; a document of this shape can contain lists of several formats. */
const LISTS: readonly Evidence['shape'][] = ['body_lines', 'nested_lists', 'request_body']

/** True for a document of plain message lists, in which other formats can find lists too. */
export function hasMessageLists({ evidence }: RecognisedFormat): boolean {
  return LISTS.includes(evidence.shape)
}

/**
 * Returns a problem for conversations that only formats other than the chosen one find in a document; empty when the
 * chosen format reads all of them. Traces and session files are not searched, since they repeat messages in many places.
 */
export function findUnreadConversations(
  source: SourceDocument,
  chosen: RecognisedFormat,
  conversations: readonly ReadConversation[],
  recognised: readonly RecognisedFormat[],
): Problem[] {
  if (!hasMessageLists(chosen)) return []
  const { shape, lists } = chosen.evidence
  const readSpans = conversations.flatMap(spanOf).sort((a, b) => a.start - b.start)
  const unread: { readonly span: TextSpan; readonly label: string }[] = []
  for (const { format, evidence } of recognised) {
    if (format === chosen.format || !hasMessageLists({ format, evidence })) continue
    // In one body, the same number of lists means the same list.
    if (shape === 'request_body' && evidence.lists <= lists) continue
    for (const span of readOrProblem(format, source).conversations.flatMap(spanOf)) {
      const at = freeIndex(readSpans, span)
      if (at === undefined) continue
      readSpans.splice(at, 0, span)
      unread.push({ span, label: format.label })
    }
  }
  const [first] = unread
  if (first === undefined) return []
  const labels = [...new Set(unread.map(({ label }) => label))].map((name) => ({ name }))
  const offset = unread.reduce((least, { span }) => Math.min(least, span.start), first.span.start)
  return [{ code: 'other_formats', values: { count: unread.length, labels }, offset }]
}

/** Most lines without a message that are looked at; session files have many. */
const MOST_LINES = 200

/** A format, or a HAR file of any format. */
export type LineReader = Pick<Format, 'label' | 'recognise' | 'read'>

/**
 * Returns a problem for lines that the chosen format read nothing from and another reader finds results in; empty when
 * there are none.
 */
export function findUnreadLines(
  source: SourceDocument,
  { format: chosen }: RecognisedFormat,
  conversations: readonly ReadConversation[],
  readers: readonly LineReader[],
): Problem[] {
  if (source.layout === 'json') return []
  const messages = conversations.flatMap((conversation) => conversation.messages)
  const starts = messages.map(({ start }) => start).sort((a, b) => a - b)
  const unread = source.values.filter(({ tree }) => {
    const at = partitionPoint(0, starts.length, (index) => (starts[index] as number) < tree.start)
    return (starts[at] ?? tree.end) >= tree.end
  })
  for (const value of unread.slice(0, MOST_LINES)) {
    const alone = { ...source, values: [value] }
    if (chosen.recognise(alone) !== null) continue
    const other = readers.find(
      (reader) =>
        reader !== chosen &&
        reader.recognise(alone) !== null &&
        readOrProblem(reader, alone).conversations.some(({ results }) => results.length > 0),
    )
    if (other === undefined) continue
    const values = { line: value.line as number, label: { name: other.label } }
    return [{ code: 'other_lines', values, offset: value.tree.start }]
  }
  return []
}

/** Returns the span of all messages, in any order: `system` can follow them. Nothing for a conversation without messages. */
function spanOf({ messages }: ReadConversation): TextSpan[] {
  const [first, ...others] = messages
  if (first === undefined) return []
  let { start, end } = first
  for (const other of others) {
    start = Math.min(start, other.start)
    end = Math.max(end, other.end)
  }
  return [{ start, end }]
}

/** Returns the index to insert a span among sorted spans; undefined when it overlaps one of them. */
function freeIndex(spans: readonly TextSpan[], { start, end }: TextSpan): number | undefined {
  const at = partitionPoint(0, spans.length, (index) => (spans[index] as TextSpan).start < start)
  const [before, after] = [spans[at - 1], spans[at]]
  const isFree = (before?.end ?? 0) <= start && end <= (after?.start ?? end)
  return isFree ? at : undefined
}

/** Files that no format reads, of which it is known what they are: the sentence says how to get a readable form. */
const KNOWN: readonly (readonly [ProblemCode, (members: JsonObject) => boolean])[] = [
  // Cursor writes what was said; of a call it keeps the name and the input.
  ['cursor_transcript', isCursorCall],
  // Each part of an answer is an event of its own; `context.jsonl` beside it has the messages.
  ['kimi_cli_wire', isKimiEvent],
  // The chat is what all changes together make: `{ kind: 0, v }` is its start, the others change the value at `k`.
  ['vscode_chat_changes', ({ kind, v }) => kind === 0 && Array.isArray(membersOf(v).requests)],
]

/** Returns the error for a document whose kind is known; undefined for any other. */
export function nameUnreadFile({ layout, values }: SourceDocument): ReadError | undefined {
  if (layout !== 'jsonl') return undefined
  const found = KNOWN.find(([, isKind]) => values.some(({ value }) => isKind(membersOf(value))))
  return found && new ReadError(found[0], { lines: values.length }, 0)
}

function isCursorCall({ role, message }: JsonObject): boolean {
  return (
    role === 'assistant' &&
    itemsOf(membersOf(message).content).some(
      (part) => isJsonObject(part) && part.type === 'tool_use' && part.id === undefined,
    )
  )
}

function isKimiEvent({ timestamp, message }: JsonObject): boolean {
  const { type, payload } = membersOf(message)
  return (
    typeof timestamp === 'number' &&
    isJsonObject(payload) &&
    /^(?:TurnBegin|StepBegin|ContentPart|ToolCall|ToolResult|StatusUpdate)$/.test(String(type))
  )
}
