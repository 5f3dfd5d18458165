/**
 * Ties results to calls and calls to turns: design section 3.
 * A reader says what each message holds; what belongs to what is decided here, once for all formats.
 */
import type { JsonPath } from '../text/json-pointer'
import type { ErrorRule, MessageTexts, ResultShape, ToolCall, ToolResult } from './conversation'
import { countCodePoints } from './count-code-points'
import { errorRulesOf } from './error-rules'

/** A text, and where it stands below the value its message was read from; no path when that is no one place. */
export interface RawText {
  readonly text: string
  readonly path?: JsonPath
}

export interface RawCall {
  readonly id: unknown
  readonly name: unknown
  /** Arguments as the text a model is sent. */
  readonly arguments: string
  /** Where they stand, a string or any other value. */
  readonly path?: JsonPath
  /** True where a model is sent the call as part of the message's text: it is not counted once more. */
  readonly isInContents?: boolean
}

export interface RawResult {
  readonly callId: unknown
  readonly shape: ResultShape
  /** Its texts as a model is sent them, each with its path: the first takes the placeholder. */
  readonly texts: readonly RawText[]
  /** Where the whole result stands, when it is a value that is read by its strings. */
  readonly valuePath?: JsonPath
  /** What the other texts become: empty, where the format takes an empty text. */
  readonly filler?: string
  /** True where the format itself marks an error. */
  readonly isFlaggedError: boolean
  /** For a result that is a JSON value by nature of its format: whether the rule for JSON objects meets it. */
  readonly isErrorObject?: boolean
}

export interface RawMessage {
  readonly role: string
  readonly isAssistant: boolean
  readonly name: string | undefined
  /** When it was written, in milliseconds since 1970; `readTime` reads what formats write. */
  readonly at?: number | undefined
  /** Its own texts, without those of results. */
  readonly contents: readonly RawText[]
  readonly reasoning: readonly RawText[]
  readonly nonTextParts: number
  readonly calls: readonly RawCall[]
  readonly results: readonly RawResult[]
}

/** A result before its slots are located. */
export type LinkedResult = Omit<ToolResult, 'slots' | 'twins' | 'valueAt'> & {
  readonly texts: readonly string[]
}

export interface LinkedMessages {
  readonly turnOfMessage: readonly (number | undefined)[]
  /** In the order of the messages and of their calls. */
  readonly calls: readonly Omit<ToolCall, 'argumentsAt'>[]
  /** In the order of the messages and of their results. */
  readonly results: readonly LinkedResult[]
  readonly turnCount: number
}

interface CallOfId {
  readonly turn: number
  readonly name: string | undefined
  readonly argumentsPreview: string
}

const ARGUMENTS_PREVIEW_CHARS = 80

/** Links raw messages; an id used by two turns belongs to the later one, wherever its results stand. */
export function linkMessages(messages: readonly RawMessage[]): LinkedMessages {
  const calls: Omit<ToolCall, 'argumentsAt'>[] = []
  const callOfId = new Map<string, CallOfId>()
  const turnOfMessage: (number | undefined)[] = []
  let turnCount = 0
  for (const [index, message] of messages.entries()) {
    const opensTurn =
      message.isAssistant && message.calls.some((call) => usableId(call.id) !== undefined)
    const turn = opensTurn ? turnCount++ : undefined
    turnOfMessage.push(turn)
    for (const call of message.calls) {
      const id = usableId(call.id)
      const name = usableId(call.name)
      const isTurnCall = id !== undefined && turn !== undefined
      const argumentsPreview = previewArguments(call.arguments)
      calls.push({
        id,
        name,
        argumentsPreview,
        message: index,
        turn: isTurnCall ? turn : undefined,
      })
      if (isTurnCall) callOfId.set(id, { turn, name, argumentsPreview })
    }
  }
  const results: LinkedResult[] = []
  for (const [index, message] of messages.entries()) {
    for (const result of message.results) {
      const texts = result.texts.map(({ text }) => text)
      const callId = usableId(result.callId)
      const call = callId === undefined ? undefined : callOfId.get(callId)
      results.push({
        message: index,
        callId,
        turn: call?.turn,
        toolName: call?.name,
        toolArguments: call?.argumentsPreview ?? '',
        shape: result.shape,
        errorRules: rulesOf(texts, result),
        chars: sum(texts.map(countCodePoints)),
        length: sum(texts.map((text) => text.length)),
        texts,
      })
    }
  }
  return { turnOfMessage, calls, results, turnCount }
}

function rulesOf(texts: readonly string[], result: RawResult): readonly ErrorRule[] {
  const rules = new Set<ErrorRule>(texts.flatMap((text) => errorRulesOf(text)))
  if (result.isErrorObject === true) rules.add('json_error')
  if (result.isFlaggedError) rules.add('flag')
  return [...rules]
}

/** Only a non-empty string is an id or a name. */
export function usableId(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function previewArguments(text: string): string {
  // Cut before folding: arguments can be megabytes, and only their beginning is shown.
  const line = text
    .slice(0, ARGUMENTS_PREVIEW_CHARS * 8)
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, ARGUMENTS_PREVIEW_CHARS).join('')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The texts of a message for counting. */
export function textsOf(message: RawMessage): MessageTexts {
  return {
    role: message.role,
    name: message.name,
    contents: [...message.contents, ...message.results.flatMap(({ texts }) => texts)].map(
      ({ text }) => text,
    ),
    calls: message.calls
      .filter(({ isInContents }) => isInContents !== true)
      .map((call) => ({ name: usableId(call.name) ?? '', arguments: call.arguments })),
  }
}
