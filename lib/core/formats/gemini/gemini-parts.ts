/**
 * The parts of one Gemini message; programs write keys in camel or in snake case.
 * https://ai.google.dev/api/caching#Content
 */

import { isErrorValue } from '../../conversation/error-rules'
import type { RawCall } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import type { CallIds } from '../reading/create-call-ids'
import { MessageBody, structuredResult } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'

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

/** Values of a member `error` that say there is none. */
const EMPTY: readonly unknown[] = [undefined, null, '', false]

/** Finds a member under its name in camel case or in snake case; undefined where it is absent or null. */
export function memberOf(object: JsonObject, name: string) {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const key of [name, snake]) {
    if (Object.hasOwn(object, key) && object[key] !== null) return { key, value: object[key] }
  }
  return undefined
}

/** True where a value has a key that only parts of Gemini have; parts of other formats have a `type`. */
export function isPart(value: unknown): boolean {
  if (!isJsonObject(value) || Object.hasOwn(value, 'type') || Object.hasOwn(value, 'kind'))
    return false
  return PART_NAMES.some((name) => memberOf(value, name) !== undefined)
}

/** Reads the value at a path as a list of parts, one part or a text: programs write all three. */
export function readPartList(
  value: unknown,
  path: JsonPath,
  ids: CallIds,
  report: ReportWrongType,
): MessageBody {
  const body = new MessageBody(report)
  if (Array.isArray(value)) {
    for (const [index, part] of value.entries()) readPart(body, part, [...path, index], ids)
  } else if (typeof value === 'string' || isJsonObject(value)) readPart(body, value, path, ids)
  else report(path, value, 'list_of_parts_or_text')
  return body
}

function readPart(body: MessageBody, part: unknown, path: JsonPath, ids: CallIds): void {
  if (typeof part === 'string') body.contents.push({ text: part, path })
  else if (!isJsonObject(part)) body.report(path, part, 'gemini_part')
  else {
    readTexts(body, part, path)
    const call = memberOf(part, 'functionCall')
    if (call !== undefined) readCall(body, call.value, [...path, call.key], ids)
    const response = memberOf(part, 'functionResponse')
    if (response !== undefined) readResponse(body, response.value, [...path, response.key], ids)
    // An image beside a response stays when the response is masked.
    if (memberOf(part, 'inlineData') ?? memberOf(part, 'fileData')) body.nonTextParts++
  }
}

function readTexts(body: MessageBody, part: JsonObject, path: JsonPath): void {
  const text = memberOf(part, 'text')
  const to = part.thought === true ? body.reasoning : body.contents
  if (typeof text?.value === 'string') to.push({ text: text.value, path: [...path, text.key] })
  else if (text !== undefined) body.report([...path, text.key], text.value, 'text')
  for (const [name, key] of [
    ['executableCode', 'code'],
    ['codeExecutionResult', 'output'],
  ] as const) {
    const ran = memberOf(part, name)
    const written = membersOf(ran?.value)[key]
    if (ran !== undefined && typeof written === 'string')
      body.contents.push({ text: written, path: [...path, ran.key, key] })
  }
}

function readCall(body: MessageBody, call: unknown, path: JsonPath, ids: CallIds): void {
  if (!isJsonObject(call)) {
    body.report(path, call, 'call_with_name_and_args')
    return
  }
  const { id, name, args } = call
  reportNameAndId(body, call, path)
  if (!isJsonObject(args) && args !== undefined && args !== null)
    body.report([...path, 'args'], args, 'object_of_arguments')
  body.calls.push({ id: ids.idOfCall(id, name), name, ...callArguments(args, path) })
}

/** The `args` of a call at a path, as a `RawCall` has them. */
export function callArguments(args: unknown, path: JsonPath): Pick<RawCall, 'arguments' | 'path'> {
  if (args === undefined) return { arguments: '' }
  return { arguments: JSON.stringify(args), path: [...path, 'args'] }
}

function readResponse(body: MessageBody, answer: unknown, path: JsonPath, ids: CallIds): void {
  if (!isJsonObject(answer)) {
    body.report(path, answer, 'response_with_name_and_response')
    return
  }
  const { id, name, response } = answer
  reportNameAndId(body, answer, path)
  const valuePath = [...path, 'response']
  const isAbsent = response === undefined || response === null
  const isObject = isJsonObject(response)
  const parts = memberOf(answer, 'parts')
  if (!isObject && !(isAbsent && parts !== undefined))
    body.report(valuePath, response, 'object_what_function_gave')
  const { texts, frame } = structuredResult(response, valuePath)
  body.contents.push({ text: isAbsent ? '' : frame })
  if (Array.isArray(parts?.value)) body.nonTextParts += parts.value.length
  else if (parts !== undefined) body.report([...path, parts.key], parts.value, 'list_of_parts')
  body.addResult(
    ids.idOfResponse(id, name),
    isObject ? texts : [],
    isObject && !EMPTY.includes(response.error),
    {
      ...(response !== undefined && { valuePath }),
      isErrorObject: isObject && isErrorValue(response),
    },
  )
}

function reportNameAndId(body: MessageBody, { name, id }: JsonObject, path: JsonPath): void {
  if (typeof name !== 'string') body.report([...path, 'name'], name, 'text')
  if (typeof id !== 'string' && id !== undefined && id !== null)
    body.report([...path, 'id'], id, 'text')
}
