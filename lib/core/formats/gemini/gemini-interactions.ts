/**
 * Gemini's Interactions API: https://ai.google.dev/api/interactions-api
 * A conversation is a list of steps: the `input` of a request, the `steps` of an interaction, a list by itself, or JSON
 * Lines. Earlier versions have turns with a role, whose `content` is now steps, and `outputs`.
 * A turn is an answer with a call: its steps are the pieces of one message. A call is a `function_call`. A result
 * is a `function_result`: a text, a list of texts, or an object, whose strings are its text as in a `functionResponse`.
 * With images, or as an object without strings, it is not text. `is_error` flags it as an error.
 * Calls that the provider ran (`google_search_call`, `code_execution_call`, `mcp_server_tool_call` and others) have
 * their results in the answer's own message. Those are not text: they are signed and must be sent back unchanged.
 * Ignored: `previous_interaction_id`, whose steps are not in the document; answers beside a request; signatures; usage.
 */

import { isErrorValue } from '../../conversation/error-rules'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { buildConversation, joinAnswerPieces } from '../reading/conversation'
import { readItems } from '../reading/list-format'
import type { MessageList, MessageListKind, MessageLists } from '../reading/lists'
import { findMessageLists } from '../reading/lists'
import {
  MessageBody,
  rawMessage,
  structuredResult,
  textBlocks,
  textsOfContent,
} from '../reading/raw-message'
import type { SourceDocument } from '../reading/source-document'

const STEP_TYPE = /^(?:user_input|model_output|thought|function_(?:call|result))$/
const CONTENT_TYPES = new Set(['text', 'image', 'audio', 'video', 'document'])
const HOSTED =
  /^(google_search|google_maps|code_execution|url_context|file_search|mcp_server_tool)_(call|result)$/

const STEPS: MessageListKind = {
  isMessage: (value) => isJsonObject(value) && (isStep(value) || isTurn(value)),
  hasFormatMarks: (steps) => steps.some((step) => isJsonObject(step) && hasStepMarks(step)),
}

/** Finds the lists of steps in a source; answers count only where there is no request. */
export function findInteractions(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, STEPS)
  const requests = lists.filter(
    ({ owner = {} }) =>
      Object.hasOwn(owner, 'input') || ![owner.steps, owner.outputs].some(Array.isArray),
  )
  return { shape, lists: requests.length === 0 ? lists : requests }
}

/** Returns the types of the steps in these lists. */
export function interactionMarks({ lists }: MessageLists): string[] {
  const steps = lists.flatMap(({ items }) => items.map(({ value }) => value)).filter(isJsonObject)
  const parts = steps.filter(isTurn).flatMap(({ content }) => itemsOf(content))
  const types = [...steps, ...parts.filter(isJsonObject)].map(({ type }) => type)
  return [...new Set(types.filter((type) => typeof type === 'string'))].slice(0, 4)
}

function isStep({ type }: JsonObject): boolean {
  if (typeof type !== 'string') return false
  return STEP_TYPE.test(type) || CONTENT_TYPES.has(type) || HOSTED.test(type)
}

/** True for a message of earlier versions, which has a role and no type. */
function isTurn({ role, content, type }: JsonObject): boolean {
  const hasTurnRole = type === undefined && (role === 'user' || role === 'model')
  return hasTurnRole && (typeof content === 'string' || Array.isArray(content))
}

/** True for steps that no other format has. */
function hasStepMarks(step: JsonObject): boolean {
  const { type, content, call_id: callId, signature, summary } = step
  if (type === 'user_input' || type === 'model_output')
    return typeof content === 'string' || Array.isArray(content)
  if (type === 'function_result') return typeof callId === 'string'
  if (type === 'thought') return typeof signature === 'string' || Array.isArray(summary)
  if (typeof type === 'string' && HOSTED.test(type)) return typeof signature === 'string'
  if (!isTurn(step) || !Array.isArray(content)) return false
  return content.some((part) => isJsonObject(part) && hasStepMarks(part))
}

/** Reads a list of steps as a conversation. */
export function readInteraction({ label, items, owner = {} }: MessageList, problems: Problem[]) {
  const { model, tools, system_instruction: system } = owner
  const pieces = readItems(items, problems, (value, place, report) => {
    if (!STEPS.isMessage(value)) return undefined
    const body = new MessageBody(report)
    if (value.type === undefined) readContent(body, value.content, ['content'])
    else readStep(body, value, [])
    return [[{ raw: rawMessage(roleOf(value, Array.isArray(owner.outputs)), body), ...place }]]
  }).flat()
  const [first] = items
  if (first !== undefined && typeof system === 'string') {
    const contents = [{ text: system, path: ['system_instruction'] }]
    const path = first.path.slice(0, -2)
    pieces.unshift({ raw: rawMessage('system', { contents }), source: first.source, path })
  }
  return buildConversation(joinAnswerPieces(pieces), { label, model, tools })
}

/** The role of a step; content by itself is the user's, unless it is an output. */
function roleOf({ type, role }: JsonObject, isOutput: boolean): RawMessage['role'] {
  if (type === undefined) return role === 'model' ? 'assistant' : 'user'
  if (type === 'function_result') return 'tool'
  const isOfUser = type === 'user_input' || (CONTENT_TYPES.has(scalarText(type)) && !isOutput)
  return isOfUser ? 'user' : 'assistant'
}

/** Adds a step at a path to a message. */
function readStep(body: MessageBody, step: JsonObject, path: JsonPath): void {
  const { type: written, content, summary, result, call_id: id } = step
  const type = scalarText(written)
  if (type === 'text') body.addText(step, path)
  else if (type === 'user_input' || type === 'model_output')
    readContent(body, content, [...path, 'content'])
  else if (type === 'thought') body.reasoning.push(...textBlocks(summary, [...path, 'summary']))
  else if (type === 'function_result') readResult(body, step, path)
  else if (HOSTED.test(type) && type.endsWith('_result')) {
    const { texts, frame } = structuredResult(result, [...path, 'result'])
    body.contents.push(...texts, { text: frame })
    body.addResult(id, [], step.is_error === true)
  } else if (type === 'function_call' || HOSTED.test(type)) readCall(body, step, type, path)
  else body.nonTextParts++
}

function readContent(body: MessageBody, content: unknown, path: JsonPath): void {
  body.addContent(content, path, 'text_or_list_of_content', (part, at) => {
    if (isJsonObject(part) && typeof part.type === 'string') readStep(body, part, at)
    else body.report(at, part, 'content_with_type')
  })
}

function readCall(
  body: MessageBody,
  { id, name, arguments: written }: JsonObject,
  type: string,
  path: JsonPath,
): void {
  const isNamed = typeof name === 'string'
  if (typeof id !== 'string') body.report([...path, 'id'], id, 'id_of_the_call_text')
  if (type === 'function_call' && !isNamed) body.report([...path, 'name'], name, 'text')
  body.calls.push({
    id,
    name: isNamed ? name : type.replace(/_call$/, ''),
    arguments: written === undefined ? '' : JSON.stringify(written),
    ...(written !== undefined && { path: [...path, 'arguments'] }),
  })
}

function readResult(body: MessageBody, step: JsonObject, path: JsonPath): void {
  const { call_id: callId, result } = step
  if (typeof callId !== 'string') body.report([...path, 'call_id'], callId, 'id_of_a_call_text')
  const at = [...path, 'result']
  const hasFailed = step.is_error === true
  if (typeof result === 'string' || isContentList(result))
    body.addWholeResult(callId, textsOfContent(result, at), hasFailed)
  else if (typeof result === 'object' && result !== null) {
    const { texts, frame } = structuredResult(result, at)
    const isErrorObject = isErrorValue(result)
    body.contents.push({ text: frame })
    body.addResult(callId, texts, hasFailed, { valuePath: at, isErrorObject })
  } else {
    body.report(at, result, 'text_list_of_content_or_object')
    body.addResult(callId, [], hasFailed)
  }
}

function isContentList(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) &&
    value.every((part) => isJsonObject(part) && CONTENT_TYPES.has(scalarText(part.type)))
  )
}
