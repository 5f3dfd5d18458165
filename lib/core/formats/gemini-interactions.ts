/**
 * Gemini's Interactions API: https://ai.google.dev/api/interactions-api
 * A conversation is a list of steps: a request's `input`, an interaction's `steps`, a bare list or lines; earlier, turns
 * with a role whose `content` holds what steps are now, and `outputs`. A turn is one answer with a call: its steps stand
 * together and are pieces of one message. A call is a `function_call`, a result a `function_result`: a text, a list of
 * texts, or an object, whose strings are its text as in a `functionResponse`; with images in it, it is no text.
 * `is_error` flags it. What the provider ran itself (`google_search_call`, `code_execution_call`, `mcp_server_tool_call` …)
 * is call and result in the answer's own message, and no text: it bears a signature and must come back unchanged.
 * Ignored: `previous_interaction_id` (what it stands for is not here), answers beside a request, signatures, usage.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { isErrorValue } from '../conversation/error-rules'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { LATER_TEXT } from './anthropic-message'
import { buildConversation, type MessagePiece } from './build-conversation'
import { groupPieces } from './group-items'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  type MessageLists,
  skippedItem,
} from './message-lists'
import { rawMessage } from './raw-message'
import type { SourceDocument } from './source-document'
import { structuredResult } from './structured-result'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** Told of a value that is not what its place calls for; the path goes on from the step. */
type Report = (path: JsonPath, value: unknown, expected: string) => void

interface StepReading {
  readonly contents: RawText[]
  readonly reasoning: RawText[]
  readonly calls: RawCall[]
  readonly results: RawResult[]
  nonTextParts: number
}

const OWN_STEPS = new Set(['user_input', 'model_output', 'thought', 'function_call'])
const CONTENT_TYPES = new Set(['text', 'image', 'audio', 'video', 'document'])
const HOSTED =
  /^(google_search|google_maps|code_execution|url_context|file_search|mcp_server_tool)_(call|result)$/

const STEPS: MessageKind = {
  isMessage: (value) => isJsonObject(value) && (isStep(value) || isTurn(value)),
  isTelling: (steps) => steps.some((step) => isJsonObject(step) && isTellingStep(step)),
}

/** The lists of steps of a source; answers only where there is no request. */
export function findInteractions(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, STEPS)
  const requests = lists.filter(({ owner }) => owner === undefined || !isAnswer(owner))
  return { shape, lists: requests.length === 0 ? lists : requests }
}

/** The types of steps that a source has, as they stand in its lists. */
export function interactionMarks({ lists }: MessageLists): string[] {
  const steps = lists.flatMap(({ items }) => items.map(({ value }) => value)).filter(isJsonObject)
  const parts = steps
    .filter(isTurn)
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const types = [...steps, ...parts.filter(isJsonObject)].map(({ type }) => type)
  return [...new Set(types.filter((type) => typeof type === 'string'))].slice(0, 4)
}

function isStep({ type }: JsonObject): boolean {
  if (typeof type !== 'string') return false
  return (
    OWN_STEPS.has(type) ||
    type === 'function_result' ||
    CONTENT_TYPES.has(type) ||
    HOSTED.test(type)
  )
}

function isTurn({ role, content, type }: JsonObject): boolean {
  const isOwn = type === undefined && (role === 'user' || role === 'model')
  return isOwn && (typeof content === 'string' || Array.isArray(content))
}

function isTellingStep(step: JsonObject): boolean {
  const { type, content, call_id: callId, signature } = step
  if (type === 'user_input' || type === 'model_output')
    return typeof content === 'string' || Array.isArray(content)
  if (type === 'function_result') return typeof callId === 'string'
  if (type === 'thought') return typeof signature === 'string' || Array.isArray(step.summary)
  if (typeof type === 'string' && HOSTED.test(type)) return typeof signature === 'string'
  if (!isTurn(step) || !Array.isArray(content)) return false
  return content.some((part) => isJsonObject(part) && isTellingStep(part))
}

function isAnswer(owner: JsonObject): boolean {
  return !Object.hasOwn(owner, 'input') && (Array.isArray(owner.steps) || isLegacyAnswer(owner))
}

function isLegacyAnswer(owner: JsonObject | undefined): boolean {
  return Array.isArray(owner?.outputs)
}

/** Reads a list of steps as a conversation. */
export function readInteraction({ label, items, owner }: MessageList): {
  conversation: ReadConversation
  problems: Problem[]
} {
  const problems: Problem[] = []
  const pieces = items.flatMap((item) => readItem(item, isLegacyAnswer(owner), problems))
  const [first] = items
  const system = owner?.system_instruction
  if (first !== undefined && typeof system === 'string') {
    const contents = [{ text: system, path: ['system_instruction'] }]
    const path = first.path.slice(0, -2)
    pieces.unshift({ raw: rawMessage('system', { contents }), source: first.source, path })
  }
  const conversation = buildConversation(groupPieces(pieces), {
    label,
    model: typeof owner?.model === 'string' ? owner.model : undefined,
    toolSchemas: Array.isArray(owner?.tools) ? JSON.stringify(owner.tools) : '',
  })
  return { conversation, problems }
}

function readItem(item: ListItem, isOutput: boolean, problems: Problem[]): MessagePiece[] {
  const { source, path, value } = item
  if (!STEPS.isMessage(value)) {
    problems.push(skippedItem(item))
    return []
  }
  const report: Report = (inner, wrong, expected) =>
    problems.push(wrongType(source, [...path, ...inner], wrong, expected))
  const reading: StepReading = {
    contents: [],
    reasoning: [],
    calls: [],
    results: [],
    nonTextParts: 0,
  }
  const step = value as JsonObject
  if (step.type === undefined) readContent(reading, step.content, ['content'], report)
  else readStep(reading, step, [], report)
  return [{ raw: { ...rawMessage(roleOf(step, isOutput)), ...reading }, source, path }]
}

/** Whose words a step is. */
function roleOf({ type, role }: JsonObject, isOutput: boolean): RawMessage['role'] {
  if (type === undefined) return role === 'model' ? 'assistant' : 'user'
  if (type === 'function_result') return 'tool'
  const isOfUser = type === 'user_input' || (CONTENT_TYPES.has(String(type)) && !isOutput)
  return isOfUser ? 'user' : 'assistant'
}

function readStep(reading: StepReading, step: JsonObject, at: JsonPath, report: Report): void {
  const type = String(step.type)
  if (type === 'text') {
    if (typeof step.text === 'string')
      reading.contents.push({ text: step.text, path: [...at, 'text'] })
    else report([...at, 'text'], step.text, 'a text')
  } else if (type === 'user_input' || type === 'model_output') {
    readContent(reading, step.content, [...at, 'content'], report)
  } else if (type === 'thought') {
    reading.reasoning.push(...textsIn(step.summary, [...at, 'summary']))
  } else if (type === 'function_result') {
    readResult(reading, step, at, report)
  } else if (HOSTED.test(type) && type.endsWith('_result')) {
    const path = [...at, 'result']
    const { texts, frame } = structuredResult(step.result, path)
    reading.contents.push(...texts, { text: frame })
    reading.results.push({ ...NO_TEXT, callId: step.call_id, isFlaggedError: isError(step) })
  } else if (type === 'function_call' || HOSTED.test(type)) {
    readCall(reading, step, type, at, report)
  } else {
    reading.nonTextParts++
  }
}

function readContent(reading: StepReading, content: unknown, at: JsonPath, report: Report): void {
  if (typeof content === 'string') reading.contents.push({ text: content, path: at })
  else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      if (isJsonObject(part) && typeof part.type === 'string')
        readStep(reading, part, [...at, index], report)
      else report([...at, index], part, 'content, an object with a "type"')
    }
  } else report(at, content, 'a text or a list of content')
}

function readCall(
  reading: StepReading,
  step: JsonObject,
  type: string,
  at: JsonPath,
  report: Report,
): void {
  const { id, name, arguments: given } = step
  if (typeof id !== 'string') report([...at, 'id'], id, 'the id of the call, a text')
  if (type === 'function_call' && typeof name !== 'string') report([...at, 'name'], name, 'a text')
  reading.calls.push({
    id,
    name: typeof name === 'string' ? name : type.replace(/_call$/, ''),
    arguments: given === undefined ? '' : JSON.stringify(given),
    ...(given !== undefined && { path: [...at, 'arguments'] }),
  })
}

const NO_TEXT = { shape: 'other', texts: [], isFlaggedError: false } as const

function isError({ is_error: flag }: JsonObject): boolean {
  return flag === true
}

function readResult(reading: StepReading, step: JsonObject, at: JsonPath, report: Report): void {
  const { call_id: callId, result } = step
  if (typeof callId !== 'string') report([...at, 'call_id'], callId, 'the id of a call, a text')
  const path = [...at, 'result']
  const base = { callId, isFlaggedError: isError(step) }
  if (typeof result === 'string') {
    reading.results.push({ ...base, shape: 'text', texts: [{ text: result, path }] })
  } else if (isContentList(result)) {
    const [first, ...later] = textsIn(result, path)
    if (first === undefined || later.length + 1 < result.length) {
      const texts = first === undefined ? [] : [first, ...later]
      reading.contents.push(...texts)
      reading.nonTextParts += result.length - texts.length
      reading.results.push({ ...NO_TEXT, ...base })
    } else {
      const texts = [first, ...later.filter(({ text }) => text !== LATER_TEXT)]
      reading.results.push({ ...base, shape: 'text', texts, filler: LATER_TEXT })
    }
  } else if (typeof result === 'object' && result !== null) {
    const { texts, frame } = structuredResult(result, path)
    reading.contents.push({ text: frame })
    const shape = texts.length > 0 ? 'text' : 'other'
    const isErrorObject = isErrorValue(result)
    reading.results.push({ ...base, shape, texts, valuePath: path, isErrorObject })
  } else {
    report(path, result, 'a text, a list of content or an object')
    reading.results.push({ ...NO_TEXT, ...base })
  }
}

function isContentList(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.every((part) => isJsonObject(part) && CONTENT_TYPES.has(String(part.type)))
  )
}

function textsIn(parts: unknown, path: JsonPath): RawText[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown, index) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
      ? [{ text: part.text, path: [...path, index, 'text'] }]
      : [],
  )
}
