/**
 * Gemini: request bodies, lists of contents, steps of the Interactions API, and sessions and checkpoints of Gemini CLI.
 * https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/function-calling
 * A turn is a message of role `model` with a `functionCall`; a result is a `functionResponse`. Calls and responses
 * without ids are matched by name and order. The API requires a response to be an object: its strings are its text.
 * Masked, the longest string is the placeholder and the others are empty; keys and numbers stay. A response with
 * `error` is flagged as an error. Images and files, inside the response or after it, stay when it is masked.
 * Shapes: a body (`contents`, `systemInstruction`, `tools`), a list of contents, JSON Lines of either, and such lists
 * anywhere in a larger document. See `gemini-session` and `gemini-interactions` for the others.
 * Ignored: answers (`candidates`), settings, `thoughtSignature`. Thoughts are shown, not counted.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem, ReadError } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import { createCallIds } from '../reading/create-call-ids'
import type { Format } from '../reading/format'
import { readItems } from '../reading/list-format'
import type { ListItem, MessageList, MessageListKind } from '../reading/lists'
import { findKeys, findMessageLists, findMisplacedMessages } from '../reading/lists'
import { rawMessage } from '../reading/raw-message'
import { reportWrongTypesTo } from '../reading/report'
import type { SourceDocument } from '../reading/source-document'
import { findInteractions, interactionMarks, readInteraction } from './gemini-interactions'
import { isPart, memberOf, readPartList } from './gemini-parts'
import { areGeminiSessions, readGeminiSessions } from './gemini-session'

const ROLES: ReadonlySet<unknown> = new Set(['user', 'model', 'function', 'system'])
const BODY_NAMES = ['systemInstruction', 'generationConfig', 'safetySettings', 'toolConfig']

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

export const gemini: Format<'gemini'> = {
  id: 'gemini',
  label: 'Gemini',
  expects: 'a list of contents, objects with a "role" of "user" or "model" and "parts"',
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
    const isCheckpoint = lists.some(({ owner }) => owner?.clientHistory !== undefined)
    return { shape: isCheckpoint ? 'session' : shape, lists: lists.length, marks: marksIn(source) }
  },
  read: (source) => {
    if (areGeminiSessions(source)) return readGeminiSessions(source)
    const { lists } = findMessageLists(source, CONTENTS)
    const steps = lists.length === 0 ? findInteractions(source).lists : []
    const misplaced = findMisplacedContents(source)
    if (lists.length === 0 && steps.length === 0 && misplaced !== undefined) throw misplaced
    const problems: Problem[] = []
    const conversations = [
      ...lists.map((list) => readList(list, problems)),
      ...steps.map((list) => readInteraction(list, problems)),
    ]
    return { conversations, problems }
  },
}

function hasContentMarks(content: unknown): boolean {
  const { role, parts } = membersOf(content)
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

function isBody(value: JsonObject): boolean {
  return (
    BODY_NAMES.some((name) => memberOf(value, name) !== undefined) ||
    itemsOf(value.tools).some((tool) => memberOf(membersOf(tool), 'functionDeclarations'))
  )
}

function readList(list: MessageList, problems: Problem[]): ReadConversation {
  const ids = createCallIds()
  const { label, items } = list
  const owner = list.owner ?? {}
  const system = items.slice(0, 1).flatMap((first) => readSystemInstruction(owner, first, problems))
  let wasModel = false
  const placed = readItems(items, problems, (value, place, report): MessagePieces[] | undefined => {
    const { role, parts } = value
    const isModel = role === 'model'
    if (isModel && !wasModel) ids.startTurn()
    wasModel = isModel
    if (!Object.hasOwn(value, 'parts')) return undefined
    if (role !== undefined && role !== null && typeof role !== 'string')
      report(['role'], role, 'user_or_model')
    if (!Array.isArray(parts)) {
      report(['parts'], parts, 'list_of_parts')
      return []
    }
    const body = readPartList(parts, ['parts'], ids, report)
    const ownRole = typeof role === 'string' ? role : 'user'
    const raw = rawMessage(ownRole, { ...body, isAssistant: isModel })
    return [[{ raw, ...place }]]
  })
  const { model, tools } = owner
  return buildConversation([...system, ...placed], { label, model, tools })
}

/** Reads the system instruction beside the contents: a content, or its parts, one part or a text, as programs write it. */
function readSystemInstruction(
  owner: JsonObject,
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
  return [[{ raw: rawMessage('system', body), source, path: at }]]
}
