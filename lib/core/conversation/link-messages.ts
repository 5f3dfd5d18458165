/**
 * Links results to calls, and calls to turns, for all formats.
 * Readers report what each message contains; the links between messages are made only here.
 */
import type { JsonPath } from '../text/json-path'
import { countCodePoints } from '../text/span'
import type {
  Conversation,
  ErrorRule,
  MessageTexts,
  ResultShape,
  ToolCall,
  ToolResult,
  Usage,
} from './conversation'
import { errorRulesOf } from './error-rules'

/** What says which message a call or a result is in. */
export type LinkedMessages = Pick<Conversation, 'messages' | 'calls' | 'results'>

/** A text and its path from the value that the message was read from; no path when the text is not one string there. */
export interface RawText {
  readonly text: string
  readonly path?: JsonPath
}

export interface RawCall {
  readonly id: unknown
  readonly name: unknown
  /** Arguments as the text that a model receives. */
  readonly arguments: string
  /** Path of the arguments, a string or any other value. */
  readonly path?: JsonPath
  /** True when the message's text already contains the call, so it is not counted again. */
  readonly isInContents?: boolean
  /** Number of a call without an id, as `linkByOrder` gives it. */
  readonly link?: number
}

export interface RawResult {
  readonly callId: unknown
  /** Name of its tool, where it states one. */
  readonly toolName?: unknown
  /** Number of the call that it answers, where neither has an id. */
  readonly link?: number
  readonly shape: ResultShape
  /** Its texts as a model receives them; the first becomes the placeholder. */
  readonly texts: readonly RawText[]
  /** Path of the value that contains these texts, when the result is an object or a list. */
  readonly valuePath?: JsonPath
  /** Text that replaces the other texts; empty by default. */
  readonly filler?: string
  /** Paths of strings that are masked with it and that no model receives; `filler` replaces one instead of the placeholder. */
  readonly copies?: readonly { readonly path?: JsonPath; readonly filler?: string }[]
  /** True when the format itself marks the result as an error. */
  readonly isFlaggedError: boolean
  /** For results that are JSON values: true when the value is an error object. */
  readonly isErrorObject?: boolean
}

export interface RawMessage {
  readonly role: string
  readonly isAssistant: boolean
  readonly name: string | undefined
  /** Time of writing, in milliseconds since 1970. */
  readonly writtenAt?: number | undefined
  /** Its texts, without those of results. */
  readonly contents: readonly RawText[]
  readonly reasoning: readonly RawText[]
  readonly nonTextParts: number
  readonly calls: readonly RawCall[]
  readonly results: readonly RawResult[]
  /** What the message is if `linkByOrder` finds the call that it answers. */
  readonly functionResult?: RawResult | undefined
  /** What the provider counted for the request that this message answers, where it is not stated in the message. */
  readonly usage?: Usage | undefined
}

/** What stands for a value that is not a message. */
export const NO_MESSAGE: RawMessage = {
  role: '',
  isAssistant: false,
  name: undefined,
  contents: [],
  reasoning: [],
  nonTextParts: 0,
  calls: [],
  results: [],
}

/** A result before its spans are located. */
export interface LinkedResult extends Omit<ToolResult, 'spans' | 'duplicates' | 'valueSpan'> {
  readonly texts: readonly string[]
}

/** A call that results are linked to. */
export interface CallOfKey<Call> {
  readonly turn: number
  /** Its own name, or that of an earlier call with its id. */
  readonly name: string | undefined
  readonly call: Call
}

/** The turns of a conversation, and the calls that its results belong to. */
export class TurnLinks<Call> {
  turnCount = 0
  /** An id that two turns use belongs to the later turn, wherever its results are. */
  readonly callOfKey = new Map<string | number, CallOfKey<Call>>()

  /** Adds the calls of the next message of a model. Returns the turn that it opens: calls without an id open none. */
  addCalls(
    calls: readonly Call[],
    keyOf: (call: Call) => string | number | undefined,
    nameOf: (call: Call) => unknown,
  ): number | undefined {
    let turn: number | undefined
    for (const call of calls) {
      const key = keyOf(call)
      if (key === undefined) continue
      turn ??= this.turnCount++
      // A call without a name leaves the name that an earlier call gave the id.
      const name = nonEmptyString(nameOf(call)) ?? this.callOfKey.get(key)?.name
      this.callOfKey.set(key, { turn, name, call })
    }
    return turn
  }
}

const PREVIEW_CHARS = 80

/** Calls and results are in the order of their messages, and in these as they are there. */
export function linkMessages(messages: readonly RawMessage[]) {
  const calls: Omit<ToolCall, 'argumentsSpan' | 'argumentsPreview'>[] = []
  const links = new TurnLinks<RawCall>()
  const sizes: ReturnType<typeof sizeOf>[] = []
  const nearest: (CallOfKey<RawCall> | undefined)[] = []
  for (const [index, message] of messages.entries()) {
    const turn = message.isAssistant
      ? links.addCalls(message.calls, keyOfCall, ({ name }) => name)
      : undefined
    sizes.push(sizeOf(message, turn))
    for (const call of message.calls) {
      calls.push({
        id: nonEmptyString(call.id),
        link: call.link,
        name: nonEmptyString(call.name),
        message: index,
        turn: keyOfCall(call) === undefined ? undefined : turn,
      })
    }
    for (const { callId } of message.results)
      nearest.push(links.callOfKey.get(nonEmptyString(callId) ?? ''))
  }
  let at = 0
  const results = messages.flatMap((message, index) =>
    message.results.map((result): LinkedResult => {
      const callId = nonEmptyString(result.callId)
      const call = links.callOfKey.get(callId ?? result.link ?? '')
      const near = nearest[at++]
      const texts = result.texts.map(({ text }) => text)
      const stated = nonEmptyString(result.toolName)
      const isOther = stated !== undefined && stated !== call?.name
      return {
        message: index,
        callId,
        ...(result.link !== undefined && { link: result.link }),
        ...linkTo(call),
        ...(callId !== undefined && near !== call && { nearest: linkTo(near) }),
        ...(isOther && { statedName: stated }),
        firstLine: firstLineOf(texts),
        shape: result.shape,
        errorRules: errorRulesFor(result, texts),
        chars: texts.reduce((total, text) => total + countCodePoints(text), 0),
        length: texts.reduce((total, text) => total + text.length, 0),
        texts,
      }
    }),
  )
  return { messages: sizes, calls, results, turnCount: links.turnCount }
}

/** What a call and its results share: the id, or their number where neither has one. */
function keyOfCall({ id, link }: Pick<RawCall, 'id' | 'link'>): string | number | undefined {
  return nonEmptyString(id) ?? link
}

function errorRulesFor(
  { isErrorObject, isFlaggedError, shape, valuePath }: RawResult,
  texts: readonly string[],
): readonly ErrorRule[] {
  const isInParts = shape !== 'text' || valuePath !== undefined
  const rules = new Set(texts.flatMap((text) => errorRulesOf(text, isInParts)))
  if (isErrorObject === true) rules.add('json_error')
  if (isFlaggedError) rules.add('flag')
  return [...rules]
}

function linkTo(call: CallOfKey<RawCall> | undefined) {
  const toolArguments = previewArguments(call?.call.arguments ?? '')
  return { turn: call?.turn, toolName: call?.name, toolArguments }
}

/** Returns a value that can serve as an id or a name: only a non-empty string can. */
export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the first 80 characters of a call's arguments, on one line. */
export function previewArguments(text: string): string {
  // Cut before replacing white space: arguments can be megabytes long.
  const line = text
    .slice(0, PREVIEW_CHARS * 8)
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, PREVIEW_CHARS).join('')
}

/** Returns the first 80 characters of the first line that is not blank; empty if there is none. */
export function firstLineOf(texts: readonly string[]): string {
  const text = texts.length === 1 ? texts[0] : texts.join('')
  // A code point has two units at most.
  const [line = ''] = /\S.{0,159}/.exec(text as string) ?? []
  return [...line].slice(0, PREVIEW_CHARS).join('').trimEnd()
}

/** Returns the texts of a message; those of its results come last among the contents. */
export function countedTexts(message: RawMessage): MessageTexts {
  return {
    role: message.role,
    name: message.name,
    contents: [...message.contents, ...message.results.flatMap(({ texts }) => texts)].map(
      ({ text }) => text,
    ),
    calls: message.calls
      .filter(({ isInContents }) => isInContents !== true)
      .map((call) => ({ name: nonEmptyString(call.name) ?? '', arguments: call.arguments })),
    reasoning: message.reasoning.map(({ text }) => text),
  }
}

/** A message by its role, its turn, its time and its code points: of contents, name, call names and arguments. */
export function sizeOf(message: RawMessage, turn: number | undefined) {
  const { role, isAssistant, writtenAt } = message
  const { name = '', contents, calls } = countedTexts(message)
  const all = [name, ...contents, ...calls.flatMap((call) => [call.name, call.arguments])]
  const chars = all.reduce((total, text) => total + countCodePoints(text), 0)
  return { role, isAssistant, writtenAt, turn, chars }
}

/**
 * Gives each call a number, and each result the number of its call. A message that answers a call becomes its result.
 * For calls and results without ids, as in requests to Ollama, whose results name their tool, and with the older
 * `function_call`, which is answered by a message of role `function`:
 * https://docs.ollama.com/capabilities/tool-calling, https://platform.openai.com/docs/api-reference/chat/create
 * Only if no call of the conversation has an id: turns of Schema 1 are then none, so theirs do not change. A result
 * answers the first open call of its tool in the last message with calls before it; without a name, the first open call.
 */
export function linkByOrder(messages: readonly RawMessage[]): readonly RawMessage[] {
  const calls = messages.flatMap((message) => message.calls)
  if (calls.some(({ id }) => nonEmptyString(id) !== undefined)) return messages
  let numbered = 0
  let open: { readonly name: unknown; readonly link: number }[] = []
  return messages.map((message): RawMessage => {
    if (message.isAssistant && message.calls.length > 0) {
      const linked = message.calls.map((call) => ({ ...call, link: numbered++ }))
      open = [...linked]
      return { ...message, calls: linked }
    }
    const result = message.results[0] ?? message.functionResult
    if (result === undefined || nonEmptyString(result.callId) !== undefined) return message
    const stated = nonEmptyString(result.toolName)
    const at = open.findIndex(({ name }) => stated === undefined || name === stated)
    const [call] = at === -1 ? [] : open.splice(at, 1)
    if (call === undefined) return message
    const isContent = result.shape === 'other'
    const contents = isContent ? message.contents : []
    return { ...message, contents, results: [{ ...result, link: call.link }] }
  })
}
