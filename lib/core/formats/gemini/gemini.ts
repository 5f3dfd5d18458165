/**
 * Gemini: request bodies, lists of contents, steps of the Interactions API, and sessions and checkpoints of Gemini CLI.
 * https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/function-calling
 * A turn is a message of role `model` with a `functionCall`; a result is a `functionResponse`. Calls and responses
 * without ids are matched by name and order. The API requires a response to be an object: its strings are its text.
 * Masked, the longest string is the placeholder and the others are empty; keys and numbers stay. A response with
 * `error` is flagged as an error. Images and files, inside the response or after it, stay when it is masked.
 * Shapes: a body (`contents`, `systemInstruction`, `tools`), a list of contents, JSON Lines of either, and such lists
 * anywhere in a larger document. See `gemini-session`, `gemini-displays` and `gemini-interactions` for the others.
 * Ignored: answers (`candidates`), settings, `thoughtSignature`. Thoughts are shown, not counted.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem, ReadError } from '../../problem'
import { isJsonObject, itemsOf, membersOf, type Unchecked } from '../../text/json-object'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { type CallIds, createCallIds } from '../reading/create-call-ids'
import { findKeys } from '../reading/find-keys'
import { findMisplacedMessages } from '../reading/find-misplaced-messages'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type ListItem,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import type { SourceDocument } from '../reading/source-document'
import { reportWrongTypesTo } from '../reading/wrong-type-problem'
import { withDisplaysInHistory } from './gemini-displays'
import { findInteractions, interactionMarks, readInteraction } from './gemini-interactions'
import { type Content, isPart, memberOf, readPartList, readParts } from './gemini-parts'
import { areGeminiSessions, readGeminiSessions } from './gemini-session'

/** A request. */
interface RequestBody {
  readonly model?: string
  readonly contents: readonly Content[]
  /** A content in the API; programs also write its parts, one part or a text. */
  readonly systemInstruction?: Content | Content['parts'] | Content['parts'][number]
  readonly tools?: readonly { readonly functionDeclarations?: readonly object[] }[]
  readonly generationConfig?: object
  readonly safetySettings?: readonly object[]
  readonly toolConfig?: object
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function', 'system'])
const BODY_NAMES = [
  'systemInstruction',
  'generationConfig',
  'safetySettings',
  'toolConfig',
] as const

const CONTENTS: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    Object.hasOwn(value, 'parts') &&
    (typeof value.role !== 'string' || ROLES.has(value.role)) &&
    (!Array.isArray(value.parts) ||
      value.parts.length === 0 ||
      value.parts.some((part) => typeof part === 'string' || isPart(part))),
  hasFormatMarks: (messages) => messages.some(hasContentMarks),
}

export const gemini: Format = {
  id: 'gemini',
  label: 'Gemini',
  expects: 'expects_gemini',
  recognise: (source) => {
    if (areGeminiSessions(source)) {
      const marks = ['gemini', ...findKeys(source, ['toolCalls', 'projectHash'])]
      return { shape: 'session', lists: 1, marks }
    }
    const { lists, shape } = findMessageLists(source, CONTENTS)
    if (lists.length === 0) {
      const steps = findInteractions(source)
      const marks = interactionMarks(steps)
      if (steps.lists.length > 0) return { shape: steps.shape, lists: steps.lists.length, marks }
    }
    if (lists.length === 0 && findMisplacedContents(source) === undefined) return null
    return { shape, lists: lists.length, marks: marksIn(source) }
  },
  read: (source) => {
    if (areGeminiSessions(source)) return readGeminiSessions(source)
    const { lists } = findMessageLists(source, CONTENTS)
    const steps = lists.length === 0 ? findInteractions(source).lists : []
    const misplaced = findMisplacedContents(source)
    if (lists.length === 0 && steps.length === 0 && misplaced !== undefined) throw misplaced
    const readings = [...lists.map(readList), ...steps.map(readInteraction)]
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function hasContentMarks(content: unknown): boolean {
  const { role, parts }: Unchecked<Content> = membersOf(content)
  return role === 'model' || itemsOf(parts).some(isPart)
}

function marksIn(source: SourceDocument): string[] {
  return findKeys(source, [
    'functionCall',
    'function_call',
    'functionResponse',
    'function_response',
    'contents',
    'parts',
    'systemInstruction',
    'system_instruction',
  ]).slice(0, 3)
}

function findMisplacedContents(source: SourceDocument): ReadError | undefined {
  return findMisplacedMessages(source, isBody, 'contents', 'list_of_messages_with_parts')
}

function isBody(value: Unchecked<RequestBody>): boolean {
  return (
    BODY_NAMES.some((name) => memberOf(value, name) !== undefined) ||
    itemsOf(value.tools).some(declaresFunctions)
  )
}

function declaresFunctions(tool: unknown): boolean {
  return memberOf(membersOf(tool), 'functionDeclarations') !== undefined
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const ids = createCallIds()
  const { label, items } = list
  const owner: Unchecked<RequestBody> = list.owner ?? {}
  const placed = items.slice(0, 1).flatMap((first) => readSystemInstruction(owner, first, problems))
  let wasModel = false
  for (const item of items) {
    const isModel = isJsonObject(item.value) && item.value.role === 'model'
    if (isModel && !wasModel) ids.startTurn()
    wasModel = isModel
    const message = readContent(item, ids, problems)
    if (message !== undefined) placed.push(message)
  }
  const { model, tools } = owner
  const conversation = buildConversation(withDisplaysInHistory(placed, list), {
    label,
    model: typeof model === 'string' ? model : undefined,
    toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
  })
  return { conversation, problems }
}

/** Reads the system instruction beside the contents, of which `first` is the first. */
function readSystemInstruction(
  owner: Unchecked<RequestBody>,
  { source, path }: ListItem,
  problems: Problem[],
): MessagePieces[] {
  const found = memberOf(owner, 'systemInstruction')
  if (found === undefined) return []
  const { key, value } = found
  const isContent = isJsonObject(value) && Object.hasOwn(value, 'parts')
  const at = [...path.slice(0, -2), key, ...(isContent ? ['parts'] : [])]
  const report = reportWrongTypesTo(problems, source, at)
  const body = readPartList(isContent ? value.parts : value, [], createCallIds(), report)
  const raw = { ...body, role: 'system', isAssistant: false, name: undefined }
  return [[{ raw, source, path: at }]]
}

function readContent(item: ListItem, ids: CallIds, problems: Problem[]): MessagePieces | undefined {
  const { source, path, value } = item
  if (!isJsonObject(value) || !Object.hasOwn(value, 'parts')) {
    problems.push(skippedMessageProblem(item))
    return undefined
  }
  const report = reportWrongTypesTo(problems, source, path)
  const { role, parts }: Unchecked<Content> = value
  if (role !== undefined && role !== null && typeof role !== 'string')
    report(['role'], role, 'user_or_model')
  if (!Array.isArray(parts)) {
    report(['parts'], parts, 'list_of_parts')
    return undefined
  }
  const raw = {
    ...readParts(parts, ['parts'], ids, report),
    role: typeof role === 'string' ? role : 'user',
    isAssistant: role === 'model',
    name: undefined,
  }
  return [{ raw, source, path }]
}
