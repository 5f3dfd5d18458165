/** Finds what looks like calls and results of tools and was read as neither. */
import type { Message, MessageTexts, ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonNode } from '../../text/json-node'
import type { JsonPath } from '../../text/json-path'
import { repeatTest } from './find-repeats'
import { placeOf } from './report'
import type { SourceDocument, SourceValue } from './source-document'

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
