/** The parts of one Gemini message: https://ai.google.dev/api/caching#Part; keys in camel or snake case. */
import { isJsonObject } from '../conversation/chat-message'
import { isErrorValue } from '../conversation/error-rules'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { CallIds } from './link-by-name'
import { structuredResult } from './structured-result'

type JsonObject = Readonly<Record<string, unknown>>

/** Told of a value that is not what its place calls for; `expected` goes on from "expected ". */
export type Report = (path: JsonPath, value: unknown, expected: string) => void

/** What parts hold; a result's frame is among the contents. */
export type PartsReading = Pick<
  RawMessage,
  'contents' | 'reasoning' | 'nonTextParts' | 'calls' | 'results'
>

export interface FoundMember {
  readonly key: string
  readonly value: unknown
}

/** A member by its name in camel case, or the same name in snake case; undefined where it is absent or null. */
export function memberOf(object: JsonObject, name: string): FoundMember | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const key of [name, snake]) {
    if (Object.hasOwn(object, key) && object[key] !== null) return { key, value: object[key] }
  }
  return undefined
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

/** Whether a value has a key that only parts of Gemini's messages have; parts of other formats name their `type`. */
export function isPart(value: unknown): boolean {
  if (!isJsonObject(value) || Object.hasOwn(value, 'type') || Object.hasOwn(value, 'kind'))
    return false
  return PART_NAMES.some((name) => memberOf(value, name) !== undefined)
}

/** Reads the parts that stand at a path; those that are broken are reported and left alone. */
export function readParts(
  parts: readonly unknown[],
  path: JsonPath,
  ids: CallIds,
  report: Report,
): PartsReading {
  const contents: RawText[] = []
  const reasoning: RawText[] = []
  const calls: RawCall[] = []
  const results: RawResult[] = []
  let nonTextParts = 0
  const addText = (at: JsonPath, value: unknown, to = contents): void => {
    if (typeof value === 'string') to.push({ text: value, path: at })
    else report(at, value, 'a text')
  }

  for (const [index, part] of parts.entries()) {
    const at = [...path, index]
    if (typeof part === 'string') contents.push({ text: part, path: at })
    else if (!isJsonObject(part)) {
      report(at, part, 'a part, an object with "text", "functionCall" or "functionResponse"')
    } else {
      const text = memberOf(part, 'text')
      if (text !== undefined)
        addText([...at, text.key], text.value, part.thought === true ? reasoning : contents)
      for (const [name, member] of [
        ['executableCode', 'code'],
        ['codeExecutionResult', 'output'],
      ] as const) {
        const run = memberOf(part, name)
        if (isJsonObject(run?.value) && typeof run.value[member] === 'string')
          contents.push({ text: run.value[member], path: [...at, run.key, member] })
      }
      const call = memberOf(part, 'functionCall')
      if (call !== undefined) {
        const read = readCall(call.value, [...at, call.key], ids, report)
        if (read !== undefined) calls.push(read)
      }
      const response = memberOf(part, 'functionResponse')
      if (response !== undefined) {
        const read = readResponse(response.value, [...at, response.key], ids, report)
        if (read !== undefined) {
          results.push(read.result)
          contents.push(...read.contents)
          nonTextParts += read.nonTextParts
        }
      }
      if (isMedia(part)) {
        nonTextParts++
        const answered = results.pop()
        if (answered !== undefined) {
          // An image beside a response belongs to it, so the response is no text.
          contents.push(...answered.texts)
          results.push({ ...answered, shape: 'other', texts: [] })
        }
      }
    }
  }
  return { contents, reasoning, nonTextParts, calls, results }
}

/** Reads what stands at a path as a list of parts, one part, or a text: programs write all three. */
export function readPartList(
  value: unknown,
  path: JsonPath,
  ids: CallIds,
  report: Report,
): PartsReading {
  if (Array.isArray(value)) return readParts(value, path, ids, report)
  if (typeof value !== 'string' && !isJsonObject(value)) {
    report(path, value, 'a list of parts, or a text')
    return NOTHING
  }
  // What stands alone has no index.
  const own = (at: JsonPath): JsonPath => [...path, ...at.slice(1)]
  const moved = <Text extends { readonly path?: JsonPath }>(text: Text): Text =>
    text.path === undefined ? text : { ...text, path: own(text.path) }
  const reading = readParts([value], [], ids, (at, wrong, expected) =>
    report(own(at), wrong, expected),
  )
  return {
    ...reading,
    contents: reading.contents.map(moved),
    reasoning: reading.reasoning.map(moved),
    calls: reading.calls.map(moved),
    results: reading.results.map(({ valuePath, ...result }) => ({
      ...result,
      texts: result.texts.map(moved),
      ...(valuePath !== undefined && { valuePath: own(valuePath) }),
    })),
  }
}

const NOTHING: PartsReading = {
  contents: [],
  reasoning: [],
  nonTextParts: 0,
  calls: [],
  results: [],
}

function isMedia(part: JsonObject): boolean {
  return memberOf(part, 'inlineData') !== undefined || memberOf(part, 'fileData') !== undefined
}

function readCall(
  value: unknown,
  path: JsonPath,
  ids: CallIds,
  report: Report,
): RawCall | undefined {
  if (!isJsonObject(value)) {
    report(path, value, 'a call, an object with "name" and "args"')
    return undefined
  }
  checkText(value, 'name', path, report)
  checkText(value, 'id', path, report)
  const hasArguments = isJsonObject(value.args)
  if (!hasArguments && value.args !== undefined && value.args !== null)
    report([...path, 'args'], value.args, 'an object of arguments')
  return {
    id: ids.idOfCall(value.id, value.name),
    name: value.name,
    arguments: value.args === undefined ? '' : JSON.stringify(value.args),
    ...(value.args !== undefined && { path: [...path, 'args'] }),
  }
}

interface ReadResponse {
  readonly result: RawResult
  /** Its frame, and its texts where they are not maskable. */
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
}

function readResponse(
  value: unknown,
  path: JsonPath,
  ids: CallIds,
  report: Report,
): ReadResponse | undefined {
  if (!isJsonObject(value)) {
    report(path, value, 'a response, an object with "name" and "response"')
    return undefined
  }
  checkText(value, 'name', path, report)
  checkText(value, 'id', path, report)
  const callId = ids.idOfResponse(value.id, value.name)
  const { texts, frame, ...errors } = readResponseObject(value, path, report)
  const nonTextParts = readNonText(value, path, report)
  const isText = texts.length > 0 && nonTextParts === 0
  return {
    result: {
      callId,
      shape: isText ? 'text' : 'other',
      texts: isText ? texts : [],
      ...(value.response !== undefined && { valuePath: [...path, 'response'] }),
      ...errors,
    },
    contents: isText ? [{ text: frame }] : [{ text: frame }, ...texts],
    nonTextParts,
  }
}

function readResponseObject(value: JsonObject, path: JsonPath, report: Report) {
  const { response } = value
  const at = [...path, 'response']
  const { texts, frame } = structuredResult(response, at)
  if (isJsonObject(response)) {
    const { error } = response
    const isFlaggedError = error !== undefined && error !== null && error !== '' && error !== false
    return { texts, frame, isFlaggedError, isErrorObject: isErrorValue(response) }
  }
  const isAbsent = response === undefined || response === null
  if (!isAbsent || memberOf(value, 'parts') === undefined)
    report(at, response, 'an object, what the function gave')
  return { texts: [], frame: isAbsent ? '' : frame, isFlaggedError: false, isErrorObject: false }
}

/** How many images or files a response brings along. */
function readNonText(value: JsonObject, path: JsonPath, report: Report): number {
  const parts = memberOf(value, 'parts')
  if (parts === undefined) return 0
  if (Array.isArray(parts.value)) return parts.value.length
  report([...path, parts.key], parts.value, 'a list of parts')
  return 0
}

function checkText(object: JsonObject, key: 'name' | 'id', path: JsonPath, report: Report): void {
  const value = object[key]
  const isOptional = key === 'id' && (value === undefined || value === null)
  if (typeof value !== 'string' && !isOptional) report([...path, key], value, 'a text')
}
