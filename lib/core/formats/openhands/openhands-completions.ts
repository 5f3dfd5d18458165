/** Reads completion logs of OpenHands, one request and its answer each. */

import { readChatMessage } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  type Unchecked,
} from '../../text/json-object'
import {
  buildConversation,
  type MessagePieces,
  type SourcePath,
} from '../reading/build-conversation'
import { readItems } from '../reading/list-format'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { lineOrPath, wrongTypeProblem } from '../reading/wrong-type-problem'
import type { ModelResponse } from './openhands-event-message'

interface CompletionLog {
  /** Chat completions messages; for models without tool calls, with calls and results written as text. */
  readonly messages: readonly object[]
  readonly response: ModelResponse
  /** Messages and answer with tool calls, where `messages` and `response` have them as text. */
  readonly fncall_messages?: readonly object[]
  readonly fncall_response?: ModelResponse
  readonly kwargs?: { readonly tools?: readonly object[] }
  readonly tools?: readonly object[]
  readonly cost: number
  readonly timestamp: number
}

interface PlacedLog {
  readonly source: SourceValue
  readonly value: Unchecked<CompletionLog>
}

/** Returns the values of a document if all of them are completion logs, else none. */
export function findCompletionLogs({ values }: SourceDocument): PlacedLog[] {
  const found = values.flatMap((source) =>
    isCompletionLog(source.value) ? [{ source, value: source.value }] : [],
  )
  return found.length === values.length ? found : []
}

function isCompletionLog(value: unknown): value is Unchecked<CompletionLog> {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) return false
  if (Object.hasOwn(value, 'fncall_messages')) return true
  const hasFacts = Object.hasOwn(value, 'cost') && Object.hasOwn(value, 'timestamp')
  return hasFacts && isJsonObject(value.response)
}

/** Reads a log as a conversation that ends with the answer. */
export function readCompletionLog(
  { source, value }: PlacedLog,
  problems: Problem[],
): ReadConversation {
  const hasCallsAsText = value.fncall_messages !== undefined
  const key = hasCallsAsText ? 'fncall_messages' : 'messages'
  const list: unknown = value[key]
  if (!Array.isArray(list)) problems.push(wrongTypeProblem(source, [key], list, 'list_of_messages'))
  const items = itemsOf(list).map((item, at) => ({ source, path: [key, at], value: item }))
  const placed = readItems(items, problems, (item, place): MessagePieces[] | undefined => {
    const raw = readChatMessage(item)
    const index = Number(place.path[1])
    const duplicates = hasCallsAsText && raw ? resultAsText(source, value, index, raw) : []
    return raw && [[{ raw, ...place, duplicates: [duplicates] }]]
  })
  const responseKey = hasCallsAsText ? 'fncall_response' : 'response'
  const { choices, model }: Unchecked<ModelResponse> = membersOf(value[responseKey])
  const answer = readChatMessage(membersOf(itemsOf(choices)[0]).message)
  const path = [responseKey, 'choices', 0, 'message']
  const { kwargs, tools } = value
  return buildConversation(answer ? [...placed, [{ raw: answer, source, path }]] : placed, {
    label: source.line === undefined ? key : lineOrPath(source, []),
    model,
    tools: tools ?? membersOf(kwargs).tools,
  })
}

/** Locates the text in `messages` that repeats a result: `messages` and `fncall_messages` have equal indexes. */
function resultAsText(
  source: SourceValue,
  { messages }: Unchecked<CompletionLog>,
  index: number,
  { name, results }: RawMessage,
): SourcePath[] {
  const [text, ...more] = results.flatMap(({ texts }) => texts)
  const { role, content } = membersOf(itemsOf(messages)[index])
  if (text === undefined || more.length > 0 || role !== 'user') return []
  const [part] = itemsOf(content)
  const sent = isJsonObject(part) ? part.text : content
  // A masked result has no heading.
  const isRepeated = sent === text.text || sent === `EXECUTION RESULT of [${name}]:\n${text.text}`
  if (!isRepeated) return []
  const path: JsonPath = isJsonObject(part) ? ['content', 0, 'text'] : ['content']
  return [{ source, path: ['messages', index, ...path] }]
}
