/**
 * Gemini: request bodies, `contents` alone, steps of the Interactions API, and the sessions that Gemini CLI keeps.
 * https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/function-calling
 * A turn is a message of role `model` with a `functionCall`, a result a `functionResponse`. Calls and responses without
 * ids are matched by name and order. A response is an object by the API's demand: its strings are its text, the
 * longest takes the placeholder, the others become empty, and keys, numbers and the shape stay. With `error` in it, it
 * is flagged as an error; with images or files in it or beside it in its message, it is no text.
 * Shapes: a body (`contents`, `systemInstruction`, `tools`), a list of contents, JSON Lines of either, such lists
 * anywhere in a larger document; for sessions see `gemini-session`, for steps `gemini-interactions`; in checkpoints of
 * Gemini CLI what the screen showed of a result is its twin, see `gemini-checkpoint`.
 * Ignored: answers (`candidates`), settings, `thoughtSignature`; thoughts are shown, not counted.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { findKeys } from './find-keys'
import type { Format } from './format'
import { withHistory } from './gemini-checkpoint'
import { findInteractions, interactionMarks, readInteraction } from './gemini-interactions'
import { isPart, memberOf, type Report, readPartList, readParts } from './gemini-parts'
import { areGeminiSessions, readGeminiSessions } from './gemini-session'
import { type CallIds, linkByName } from './link-by-name'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  skippedItem,
} from './message-lists'
import type { SourceDocument, SourceValue } from './source-document'
import { wrongType } from './wrong-type'

/** Objects with parts, one of them with a part that only Gemini's messages have. */
const CONTENTS: MessageKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    Object.hasOwn(value, 'parts') &&
    (typeof value.role !== 'string' || ROLES.has(value.role)) &&
    (!Array.isArray(value.parts) || value.parts.length === 0 || value.parts.some(isOwnPart)),
  isTelling: (messages) =>
    messages.some(
      (message) =>
        isJsonObject(message) && (message.role === 'model' || holdsPart(message.parts, isPart)),
    ),
}

const ROLES = new Set(['user', 'model', 'function', 'system'])
const EXPECTED_LIST = 'a list of messages, objects with "parts"'

export const gemini: Format = {
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
    if (lists.length === 0 && misplacedContents(source) === undefined) return null
    return { shape, lists: lists.length, marks: marksIn(source) }
  },
  read: (source) => {
    if (areGeminiSessions(source)) return readGeminiSessions(source)
    const { lists } = findMessageLists(source, CONTENTS)
    const steps = lists.length === 0 ? findInteractions(source).lists : []
    const misplaced = misplacedContents(source)
    if (lists.length === 0 && steps.length === 0 && misplaced !== undefined)
      throw new ReadError(misplaced.code, misplaced.values, misplaced.offset)
    const readings = [...lists.map(readList), ...steps.map(readInteraction)]
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function isOwnPart(part: unknown): boolean {
  return typeof part === 'string' || isPart(part)
}

function holdsPart(parts: unknown, isWanted: (part: unknown) => boolean): boolean {
  return Array.isArray(parts) && parts.some(isWanted)
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

const BODY_NAMES = ['systemInstruction', 'generationConfig', 'safetySettings', 'toolConfig']

/** The problem of a body whose `contents` is there but no list of messages. */
function misplacedContents({ values }: SourceDocument): Problem | undefined {
  for (const source of values) {
    const { value } = source
    if (!isJsonObject(value) || !Object.hasOwn(value, 'contents')) continue
    const isBody =
      BODY_NAMES.some((name) => memberOf(value, name) !== undefined) ||
      (Array.isArray(value.tools) && value.tools.some(declaresFunctions))
    if (isBody) return wrongType(source, ['contents'], value.contents, EXPECTED_LIST)
  }
  return undefined
}

function declaresFunctions(tool: unknown): boolean {
  return isJsonObject(tool) && memberOf(tool, 'functionDeclarations') !== undefined
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const ids = linkByName()
  const { label, owner } = list
  const [first] = list.items
  const placed =
    owner === undefined || first === undefined ? [] : readSystem(owner, first, problems)
  let wasModel = false
  for (const item of list.items) {
    const isModel = isJsonObject(item.value) && item.value.role === 'model'
    if (isModel && !wasModel) ids.openTurn()
    wasModel = isModel
    const message = readContent(item, ids, problems)
    if (message !== undefined) placed.push(message)
  }
  const tools = owner?.tools
  const beside =
    first === undefined ? placed : withHistory(placed, owner, first.source, first.path.slice(0, -2))
  return {
    conversation: buildConversation(beside, {
      label,
      model: typeof owner?.model === 'string' ? owner.model : undefined,
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}

function reportTo(problems: Problem[], source: SourceValue, base: JsonPath): Report {
  return (path, value, expected) =>
    problems.push(wrongType(source, [...base, ...path], value, expected))
}

/** What stands beside the contents as the system's words: a content, its parts, or a text. */
function readSystem(
  owner: Readonly<Record<string, unknown>>,
  { source, path }: ListItem,
  problems: Problem[],
): PlacedMessage[] {
  const found = memberOf(owner, 'systemInstruction')
  if (found === undefined) return []
  const base = path.slice(0, -2)
  const { key, value } = found
  const isContent = isJsonObject(value) && Object.hasOwn(value, 'parts')
  const at = [...base, key, ...(isContent ? ['parts'] : [])]
  const parts = isContent ? value.parts : value
  const reading = readPartList(parts, [], linkByName(), reportTo(problems, source, at))
  return [[{ raw: { ...reading, ...SYSTEM }, source, path: at }]]
}

const SYSTEM = { role: 'system', isAssistant: false, name: undefined } as const

function readContent(item: ListItem, ids: CallIds, problems: Problem[]): PlacedMessage | undefined {
  const { source, path, value } = item
  if (!isJsonObject(value) || !Object.hasOwn(value, 'parts')) {
    problems.push(skippedItem(item))
    return undefined
  }
  const report = reportTo(problems, source, path)
  const { role, parts } = value
  if (role !== undefined && role !== null && typeof role !== 'string')
    report(['role'], role, '"user" or "model"')
  if (!Array.isArray(parts)) {
    report(['parts'], parts, 'a list of parts')
    return undefined
  }
  const reading = readParts(parts, ['parts'], ids, report)
  const raw = {
    ...reading,
    role: typeof role === 'string' ? role : 'user',
    isAssistant: role === 'model',
    name: undefined,
  }
  return [{ raw, source, path }]
}
