/** Logs of completions as OpenHands keeps them, one a file: the messages sent, and the answer. */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { RawMessage } from '../conversation/link-messages'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { buildConversation, type PlacedMessage, type SourcePlace } from './build-conversation'
import { skippedItem } from './message-lists'
import type { JsonObject } from './openhands-events'
import type { SourceDocument, SourceValue } from './source-document'
import { wrongType } from './wrong-type'

export interface Completion {
  readonly source: SourceValue
  readonly value: JsonObject
}

/** The values of a source that are logs, all or none. */
export function findCompletions({ values }: SourceDocument): Completion[] {
  const found = values.flatMap((source) =>
    isCompletion(source.value) ? [{ source, value: source.value }] : [],
  )
  return found.length === values.length ? found : []
}

function isCompletion(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) return false
  if (Object.hasOwn(value, 'fncall_messages')) return true
  const isLog = Object.hasOwn(value, 'cost') && Object.hasOwn(value, 'timestamp')
  return isLog && isJsonObject(value.response)
}

/** A log as a conversation that ends with its answer. */
export function readCompletion({ source, value }: Completion): {
  conversation: ReadConversation
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const isWorded = value.fncall_messages !== undefined
  const key = isWorded ? 'fncall_messages' : 'messages'
  const list = value[key]
  if (!Array.isArray(list)) problems.push(wrongType(source, [key], list, 'a list of messages'))
  const placed: PlacedMessage[] = []
  for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
    const raw = readChatMessage(item)
    const path = [key, index]
    if (raw === undefined) {
      problems.push(skippedItem({ source, path, value: item }))
      continue
    }
    const twins = isWorded ? wordedResult(source, value, index, raw) : []
    placed.push([{ raw, source, path, twins: [twins] }])
  }
  const responseKey = isWorded ? 'fncall_response' : 'response'
  const answer = answerIn(source, value, responseKey)
  if (answer !== undefined) placed.push(answer)
  const response = value[responseKey]
  const { kwargs, tools } = value
  const schemas = tools ?? (isJsonObject(kwargs) ? kwargs.tools : undefined)
  const conversation = buildConversation(placed, {
    label: source.line === undefined ? key : `line ${source.line}`,
    model:
      isJsonObject(response) && typeof response.model === 'string' ? response.model : undefined,
    toolSchemas: Array.isArray(schemas) ? JSON.stringify(schemas) : '',
  })
  return { conversation, problems }
}

function answerIn(source: SourceValue, value: JsonObject, key: string): PlacedMessage | undefined {
  const response = value[key]
  const choices = isJsonObject(response) ? response.choices : undefined
  const [choice]: readonly unknown[] = Array.isArray(choices) ? choices : []
  const raw = isJsonObject(choice) ? readChatMessage(choice.message) : undefined
  if (raw === undefined) return undefined
  return [{ raw, source, path: [key, 'choices', 0, 'message'] }]
}

/**
 * Where the message sent in a result's place says what the result says, or was masked with it: OpenHands puts a
 * conversation into words message by message.
 */
function wordedResult(
  source: SourceValue,
  { messages }: JsonObject,
  index: number,
  { name, results }: RawMessage,
): SourcePlace[] {
  const [text, ...more] = results.flatMap(({ texts }) => texts)
  const message: unknown = Array.isArray(messages) ? messages[index] : undefined
  if (text === undefined || more.length > 0) return []
  if (!isJsonObject(message) || message.role !== 'user') return []
  const { content } = message
  const [part]: readonly unknown[] = Array.isArray(content) ? content : []
  const written = isJsonObject(part) ? part.text : content
  const isRepeated =
    written === text.text || written === `EXECUTION RESULT of [${name}]:\n${text.text}`
  if (!isRepeated) return []
  const path: JsonPath = isJsonObject(part) ? ['content', 0, 'text'] : ['content']
  return [{ source, path: ['messages', index, ...path] }]
}
