/**
 * The parts of one Gemini message; programs write keys in camel or in snake case.
 * https://ai.google.dev/api/caching#Content
 */

import { isErrorValue } from '../../conversation/error-rules'
import type { RawCall } from '../../conversation/link-messages'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type Unchecked,
} from '../../text/json-object'
import type { CallIds } from '../reading/create-call-ids'
import { emptyBody, type MessageBody, structuredResult } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/wrong-type-problem'

export interface Content {
  /** The user's if it is absent. */
  readonly role?: 'user' | 'model' | 'function' | 'system'
  readonly parts: readonly (Part | string)[]
}

/** A piece of a message. It has one of these members; `thought` and `thoughtSignature` describe it. */
interface Part {
  readonly text?: string
  readonly functionCall?: FunctionCall
  readonly functionResponse?: FunctionResponse
  readonly inlineData?: object
  readonly fileData?: object
  readonly executableCode?: { readonly code: string }
  readonly codeExecutionResult?: { readonly output?: string }
  /** True where `text` is a summary of what the model thought. */
  readonly thought?: boolean
  readonly thoughtSignature?: string
}

interface FunctionCall {
  readonly id?: string
  readonly name: string
  readonly args?: object
}

interface FunctionResponse {
  readonly id?: string
  readonly name: string
  readonly response: { readonly error?: unknown }
  /** Images and files. */
  readonly parts?: readonly Part[]
}

const PART_NAMES = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'thoughtSignature',
] as const

/** Finds a member under its name in camel case or in snake case; undefined where it is absent or null. */
export function memberOf<Shape>(
  object: Unchecked<Shape>,
  name: keyof Shape & string,
): { readonly key: string; readonly value: unknown } | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const members = object as JsonObject
  for (const key of [name, snake]) {
    if (Object.hasOwn(members, key) && members[key] !== null) return { key, value: members[key] }
  }
  return undefined
}

/** True where a value has a key that only parts of Gemini have; parts of other formats have a `type`. */
export function isPart(value: unknown): boolean {
  if (!isJsonObject(value) || Object.hasOwn(value, 'type') || Object.hasOwn(value, 'kind'))
    return false
  return PART_NAMES.some((name) => memberOf<Part>(value, name) !== undefined)
}

/** Reads the list of parts at a path; reports those of the wrong type and skips them. */
export function readParts(
  parts: readonly unknown[],
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): MessageBody {
  const body = emptyBody()
  for (const [index, part] of parts.entries()) readPart(body, part, [...path, index], ids, report)
  return body
}

/** Reads the value at a path as a list of parts, one part or a text: programs write all three. */
export function readPartList(
  value: unknown,
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): MessageBody {
  if (Array.isArray(value)) return readParts(value, path, ids, report)
  const body = emptyBody()
  if (typeof value === 'string' || isJsonObject(value)) readPart(body, value, path, ids, report)
  else report(path, value, 'list_of_parts_or_text')
  return body
}

function readPart(
  body: MessageBody,
  part: unknown,
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): void {
  if (typeof part === 'string') body.contents.push({ text: part, path })
  else if (!isJsonObject(part)) report(path, part, 'gemini_part')
  else {
    readTexts(body, part, path, report)
    const call = memberOf<Part>(part, 'functionCall')
    if (call !== undefined) readCall(body, call.value, [...path, call.key], ids, report)
    const response = memberOf<Part>(part, 'functionResponse')
    if (response !== undefined)
      readResponse(body, response.value, [...path, response.key], ids, report)
    // An image beside a response stays when the response is masked.
    if (isMedia(part)) body.nonTextParts++
  }
}

function readTexts(
  body: MessageBody,
  part: Unchecked<Part>,
  path: JsonPath,
  report: ReportWrongType,
): void {
  const text = memberOf(part, 'text')
  const to = part.thought === true ? body.reasoning : body.contents
  if (typeof text?.value === 'string') to.push({ text: text.value, path: [...path, text.key] })
  else if (text !== undefined) report([...path, text.key], text.value, 'text')
  const code = memberOf(part, 'executableCode')
  if (isJsonObject(code?.value) && typeof code.value.code === 'string')
    body.contents.push({ text: code.value.code, path: [...path, code.key, 'code'] })
  const ran = memberOf(part, 'codeExecutionResult')
  if (isJsonObject(ran?.value) && typeof ran.value.output === 'string')
    body.contents.push({ text: ran.value.output, path: [...path, ran.key, 'output'] })
}

function isMedia(part: Unchecked<Part>): boolean {
  return memberOf(part, 'inlineData') !== undefined || memberOf(part, 'fileData') !== undefined
}

function readCall(
  body: MessageBody,
  call: unknown,
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): void {
  if (!isJsonObject(call)) {
    report(path, call, 'call_with_name_and_args')
    return
  }
  const { id, name, args }: Unchecked<FunctionCall> = call
  reportNameAndId(call, path, report)
  if (!isJsonObject(args) && args !== undefined && args !== null)
    report([...path, 'args'], args, 'object_of_arguments')
  body.calls.push({ id: ids.idOfCall(id, name), name, ...callArguments(args, path) })
}

/** The `args` of a call at a path, as a `RawCall` has them. */
export function callArguments(args: unknown, path: JsonPath): Pick<RawCall, 'arguments' | 'path'> {
  if (args === undefined) return { arguments: '' }
  return { arguments: JSON.stringify(args), path: [...path, 'args'] }
}

function readResponse(
  body: MessageBody,
  answer: unknown,
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): void {
  if (!isJsonObject(answer)) {
    report(path, answer, 'response_with_name_and_response')
    return
  }
  const { id, name, response }: Unchecked<FunctionResponse> = answer
  reportNameAndId(answer, path, report)
  const valuePath = [...path, 'response']
  const isAbsent = response === undefined || response === null
  if (!isJsonObject(response) && !(isAbsent && memberOf(answer, 'parts') !== undefined))
    report(valuePath, response, 'object_what_function_gave')
  const { texts, frame } = isJsonObject(response)
    ? structuredResult(response, valuePath)
    : { texts: [], frame: isAbsent ? '' : structuredResult(response, valuePath).frame }
  body.contents.push({ text: frame })
  body.nonTextParts += countMedia(answer, path, report)
  body.results.push({
    callId: ids.idOfResponse(id, name),
    shape: texts.length > 0 ? 'text' : 'other',
    texts,
    ...(response !== undefined && { valuePath }),
    isFlaggedError: isJsonObject(response) && hasError(response),
    isErrorObject: isJsonObject(response) && isErrorValue(response),
  })
}

function hasError({ error }: Unchecked<FunctionResponse['response']>): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** Counts the images and files inside a response. */
function countMedia(
  answer: Unchecked<FunctionResponse>,
  path: JsonPath,
  report: ReportWrongType,
): number {
  const parts = memberOf(answer, 'parts')
  if (parts === undefined) return 0
  if (Array.isArray(parts.value)) return parts.value.length
  report([...path, parts.key], parts.value, 'list_of_parts')
  return 0
}

function reportNameAndId(
  { name, id }: Unchecked<FunctionCall>,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (typeof name !== 'string') report([...path, 'name'], name, 'text')
  if (typeof id !== 'string' && id !== undefined && id !== null) report([...path, 'id'], id, 'text')
}
