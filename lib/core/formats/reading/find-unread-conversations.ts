import type { Message, MessageTexts, ReadConversation } from '../../conversation/conversation'
import { type Problem, ReadError } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonNode } from '../../text/json-node'
import type { JsonPath } from '../../text/json-path'
import { partitionPoint, type TextSpan } from '../../text/span'
import type { ProblemCode } from '../../words/words'
import { repeatTest } from './find-repeats'
import { type Evidence, type Format, readOrProblem } from './format'
import { placeOf } from './report'
import type { SourceDocument, SourceValue } from './source-document'

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

/** Finds what looks like calls and results of tools and was read as neither. */

/** Keys of a request that declare or choose tools; a request without calls has them too. */
const DECLARATION =
  /^(?:(?:(?:available|allowed|disallowed)_?)?tools|functions|function_?declarations|tool_?(?:choice|config)|(?:parallel|max|num)_?tool_?calls)$/i
const TOOL_WORD = /tool|function_?(?:call|response)/i
/** Results that agents such as Cline write into a text of the user; a path can have brackets. */
const TEXT_OF_RESULT = /^\[[\w-]+(?: for [^\n]*)?\] Result:/

/** A role or type of a call or of what it gave. */
const OF_TOOL = /tool|function|observation|call_output$/i
const RESULT_KEY = /^(?:(?:(?:tool|function)_?(?:call_?)?)?(?:output|result|response)s?|content)$/i
/** What a client wrote in place of a result. */
const STORED = /^(?:attachment:\/\/|Old environment output: |$)/
/** Names, kinds and files beside a text. */
const NAMING_KEY =
  /(?:name|description|type|role|id|data|url|uri|source|format|title|status|model|path)$/i
/** What a model wrote, and what repeats a result for a screen. */
const NO_RESULT =
  /^(?:arguments|args|input|parameters|toolUseResult|tool_use_result|resultDisplay|(?:tool_call_)?metadata|details|structured_?content)$/i

/**
 * Returns a problem for texts under `content`, `output`, `result` or `response` below a role, type or key of a tool, at any
 * depth, if no result has them and no other problem is about them.
 */
export function findUnreadResults(
  { values }: SourceDocument,
  conversations: readonly ReadConversation[],
  problems: readonly Problem[],
): Problem[] {
  const texts = conversations.flatMap(({ resultTexts }) => resultTexts.flat())
  // Of a result beside an image, the text is one of the message.
  const messages = conversations.flatMap(({ messages, messageTexts, results }) =>
    results.flatMap(({ shape, message }) => {
      if (shape !== 'other') return []
      texts.push(...(messageTexts[message] as MessageTexts).contents)
      return messages[message] as Message
    }),
  )
  const known = new Set(texts)
  let repeats: ReturnType<typeof repeatTest>
  const unread: [SourceValue, JsonPath][] = []
  for (const source of values) {
    for (const [text, path, owner] of textsOfTools(source.value)) {
      if (STORED.test(text.trim()) || known.has(text)) continue
      repeats ??= repeatTest(texts)
      const { start, end } = source.tree.find(owner) as JsonNode
      const named = source.line === undefined ? { start, end } : source.tree
      const isNamed = problems.some(
        ({ offset = -1 }) => named.start <= offset && offset < named.end,
      )
      const isInRead = messages.some((one) => one.start <= start && end <= one.end)
      if (!isNamed && !isInRead && repeats?.(text) !== true) unread.push([source, path])
    }
  }
  const [first] = unread
  return first === undefined ? [] : [problemAt('unread_results', ...first, unread.length)]
}

/** The texts that look like results: each with its path, and the path of what has the role, type or key of a tool. */
function* textsOfTools(
  value: unknown,
  path: JsonPath = [],
  owner?: JsonPath,
  isResult = false,
): Generator<readonly [text: string, path: JsonPath, owner: JsonPath]> {
  if (typeof value === 'string') {
    if (isResult && owner !== undefined) yield [value, path, owner]
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      yield* textsOfTools(item, [...path, at], owner, isResult)
  } else if (isJsonObject(value)) {
    const isOfTool = OF_TOOL.test(`${scalarText(value.role)} ${scalarText(value.type)}`)
    const own = owner ?? (isOfTool ? path : undefined)
    for (const [key, member] of Object.entries(value)) {
      if (DECLARATION.test(key) || NO_RESULT.test(key)) continue
      const below = own ?? (TOOL_WORD.test(key) ? [...path, key] : undefined)
      const isText =
        (isResult && !NAMING_KEY.test(key)) || (below !== undefined && RESULT_KEY.test(key))
      yield* textsOfTools(member, [...path, key], below, isText)
    }
  }
}

/**
 * Returns a problem for a document without a turn and without a result, where a role, a type, a key or a text names a
 * tool: its calls have a shape that no format reads.
 */
export function findUnreadTools(
  { values }: SourceDocument,
  conversations: readonly ReadConversation[],
): Problem[] {
  if (conversations.some(({ turnCount, results }) => turnCount > 0 || results.length > 0)) return []
  for (const source of values) {
    for (const path of pathsOfTools(source.value)) return [problemAt('unread_tools', source, path)]
  }
  return []
}

function* pathsOfTools(value: unknown, path: JsonPath = []): Generator<JsonPath> {
  const members = Array.isArray(value) ? value.entries() : Object.entries(membersOf(value))
  for (const [step, member] of members) {
    const key = String(step)
    if (DECLARATION.test(key)) continue
    if (isToolMember(key, member)) yield [...path, step]
    else yield* pathsOfTools(member, [...path, step])
  }
}

/** True if the key names a tool and has a value, if a role or type does, or if a text is the result of a tool. */
function isToolMember(key: string, member: unknown): boolean {
  if (typeof member === 'string' && (key === 'role' || key === 'type'))
    return TOOL_WORD.test(member)
  if (typeof member === 'string' && TEXT_OF_RESULT.test(member)) return true
  const isEmpty =
    typeof member === 'object' ? Object.keys(member ?? {}).length === 0 : typeof member !== 'string'
  return !isEmpty && TOOL_WORD.test(key)
}

function problemAt(
  code: 'unread_results' | 'unread_tools',
  source: SourceValue,
  path: JsonPath,
  count = 1,
): Problem {
  const values = { path: placeOf(source, path), count }
  return { code, values, offset: source.tree.find(path)?.start }
}
