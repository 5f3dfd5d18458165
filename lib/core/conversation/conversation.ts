/**
 * The model that every format is read into; it does not depend on a policy.
 * The worker sends these objects to the page, so they hold offsets and short strings, no trees.
 */
import type { JsonSpan } from '../text/embedded-json'
import type { Words } from '../words/words'
import { groupBy } from './add-to-group'
import { addUp } from './add-up'
import type { ReasoningMark } from './reasoning-marks'

/** Tokens are those of the provider; what the transcript does not state is undefined. */
export interface Usage {
  /** All input tokens, including those read from the cache and written to it. */
  readonly inputTokens: number | undefined
  readonly cacheReadTokens: number | undefined
  /** Written to the cache, whatever the lifetime. */
  readonly cacheWriteTokens: number | undefined
  /** The part of `cacheWriteTokens` with a lifetime of one hour; undefined if no lifetime is stated. */
  readonly cacheWriteHourTokens: number | undefined
  /** Including reasoning. */
  readonly outputTokens: number | undefined
  readonly reasoningTokens: number | undefined
  /** Input and output together, where only the sum is stated. */
  readonly totalTokens: number | undefined
  readonly model: string | undefined
  /** Time of the answer, in milliseconds since 1970. */
  readonly at: number | undefined
  /** Dollars, where the transcript states a cost. */
  readonly statedCost: number | undefined
  /** Id of the answer; a fork of a session has answers with the ids of the first. */
  readonly id?: string | undefined
  /** Members that can change the prices of the request, such as `speed=fast`; standard ones are left out. */
  readonly service?: readonly string[] | undefined
  /** True if the request was sent masked and is written as it was before. */
  readonly isOfMasked?: boolean
  /** Searches of the web that the provider made for it. */
  readonly webSearches?: number | undefined
}

/** The sum of several; a number that one of them does not state is unknown. Undefined for none. */
export function sumUsage(parts: readonly Usage[]): UsageTotal | undefined {
  if (parts.length === 0) return undefined
  // What only the request of one answer has is left out.
  const { id: _, service: __, isOfMasked: ___, webSearches: ____, ...sum } = addUp(parts)
  const at = parts.findLast((part) => part.at !== undefined)?.at
  return { requests: undefined, ...sum, at }
}

/** Usage of a whole conversation, where a transcript states it for all requests together. */
export interface UsageTotal extends Usage {
  readonly requests?: number | undefined
}

/** The six text rules of `keep_errors`, and `flag` for results that the format itself marks as errors. */
export const ERROR_RULES = [
  'traceback',
  'exception',
  'error_line',
  'timeout',
  'connection',
  'json_error',
  'flag',
] as const

/**
 * Rules beyond Schema 1, off by default. `stack_trace`: a traceback with frames. `exit_code`: one other than zero.
 * `error_flag`: a key `is_error` that is true. `json_failure`: what later versions of the specified program call a failure.
 */
export const OPTIONAL_ERROR_RULES = [
  'stack_trace',
  'exit_code',
  'error_flag',
  'json_failure',
] as const

export const ALL_ERROR_RULES = [...ERROR_RULES, ...OPTIONAL_ERROR_RULES] as const

export type ErrorRule = (typeof ALL_ERROR_RULES)[number]

/** True if a rule of Schema 1, or the format's own mark, is among those that a result matches. */
export function looksLikeError(rules: readonly ErrorRule[]): boolean {
  return rules.some((rule) => (ERROR_RULES as readonly ErrorRule[]).includes(rule))
}

/**
 * `text`: a string, or the texts of a list or object where the format always writes results that way.
 * `text_parts`: a list of text parts where the format normally writes a string; masked only with the setting `text_parts`.
 * `other`: no text at all, or text beside images and other parts; never masked.
 */
export type ResultShape = 'text' | 'text_parts' | 'other'

/** A string of the document that masking may replace; the span includes the quotes. */
export interface ResultSpan extends JsonSpan {
  /** RFC 6901 pointer within the document, or within the line in JSON Lines; continues inside JSON in a string. */
  readonly pointer: string
  /** Text that replaces it when its result is masked; undefined for the placeholder. */
  readonly filler: string | undefined
}

export interface ToolCall {
  /** Undefined unless it is a non-empty string. */
  readonly id: string | undefined
  /** Number that it shares with its result where neither has an id; undefined for other calls. */
  readonly link?: number | undefined
  readonly name: string | undefined
  /** The first 80 characters of the arguments, on one line. */
  readonly argumentsPreview: string
  /** Span of the arguments, a string or any other value; undefined when they are not a single value. */
  readonly argumentsSpan: JsonSpan | undefined
  /** Index of the message that contains it. */
  readonly message: number
  /** Index of its tool turn, from 0; undefined when the message does not open a turn. */
  readonly turn: number | undefined
}

export interface ToolResult {
  /** Index of the message that contains it. */
  readonly message: number
  /** Undefined unless it is a non-empty string. */
  readonly callId: string | undefined
  /** Number that it shares with its call where neither has an id; masked only with the setting `link_by_order`. */
  readonly link?: number | undefined
  /** Index of the tool turn it belongs to, from 0; undefined for an orphan. */
  readonly turn: number | undefined
  /** Name of the tool of its call. */
  readonly toolName: string | undefined
  /** Requests that send so many messages or more have `[Old tool result content cleared]` in its place, as the client wrote. */
  readonly clearedAt?: number
  /** What it has of the nearest call before it with its id, if that is not the last one; for the setting `nearest_call`. */
  readonly nearest?: Pick<ToolResult, 'turn' | 'toolName' | 'toolArguments'>
  /**
   * The first message after it with signed thinking, and the turns before that message, if the model refuses a request in
   * which something before signed thinking has changed.
   */
  readonly signed?: { readonly message: number; readonly turns: number } | undefined
  /** Name of a tool that it states itself, if that is another one: its call reused an id, or is not there. */
  readonly statedName?: string | undefined
  /** The first 80 characters of the call's arguments, on one line. */
  readonly toolArguments: string
  /** The first 80 characters of its first line that is not blank. */
  readonly firstLine: string
  readonly shape: ResultShape
  /** Error rules that it matches, optional ones too; the policy decides which of them count. */
  readonly errorRules: readonly ErrorRule[]
  /** Unicode code points of all its texts. */
  readonly chars: number
  /** UTF-16 code units of all its texts. */
  readonly length: number
  /** Strings that masking replaces: its texts (none for `other`), then its duplicates. */
  readonly spans: readonly ResultSpan[]
  /** Span of the value that contains these strings; undefined when the result itself is text. */
  readonly valueSpan: JsonSpan | undefined
  /** Number of duplicates: the last spans, which repeat the result and which no model receives. */
  readonly duplicates: number
}

/** The tool that a result is shown with. */
export function shownTool(result: Pick<ToolResult, 'statedName' | 'toolName'> | undefined) {
  return result?.statedName ?? result?.toolName
}

/** A message; the span is that of its first piece. */
export interface Message extends JsonSpan {
  /** Spans of its other pieces, when the format writes one message as several values. */
  readonly otherSpans: readonly JsonSpan[]
  readonly role: string
  /** True if a model wrote it, whatever the format calls that role; each such message answers one request. */
  readonly isAssistant: boolean
  /** Index of the tool turn it opens, from 0; undefined when it has no call with an id. */
  readonly turn: number | undefined
  /** Unicode code points of its contents, name, call names and arguments. */
  readonly chars: number
  /** Number of parts that are not text (images, audio); their tokens are unknown and not counted. */
  readonly nonTextParts: number
  /** Time of writing, in milliseconds since 1970; undefined when the format has none. */
  readonly writtenAt: number | undefined
  /** Spans of its texts, without those of results. */
  readonly contents: readonly JsonSpan[]
  /** Spans of the model's reasoning, which is shown but not counted. */
  readonly reasoning: readonly JsonSpan[]
  /** What the provider counted for the request that this message answers. */
  readonly usage?: Usage
  /** Reasoning that a provider checks; undefined if there is none. */
  readonly reasoningMarks?: readonly ReasoningMark[]
}

/** The texts of a message that a model receives, for counting; they stay in the worker. */
export interface MessageTexts {
  readonly role: string
  readonly name: string | undefined
  readonly contents: readonly string[]
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  /** The model's reasoning, which is not counted. */
  readonly reasoning: readonly string[]
}

export interface Conversation {
  /** Name shown in the picker: the position of the list in the document, such as `messages` or `line 3`. */
  readonly label: Words
  /** The start of the first user message, to tell conversations apart. */
  readonly opening: string
  readonly messages: readonly Message[]
  readonly calls: readonly ToolCall[]
  /** In the order of the document. */
  readonly results: readonly ToolResult[]
  readonly turnCount: number
  /** Model named beside the messages; undefined when none is named. */
  readonly model: string | undefined
  /** True for the conversation of another agent that the session in the same file started. */
  readonly isSecondary?: boolean
  /** True if a compaction replaced the messages before it by a summary. */
  readonly followsCompaction?: boolean
  /**
   * The requests that the proxy recorded, whatever answers are among the messages: each sent the messages before `end`, and
   * `usage` is that of its answer.
   */
  readonly recorded?: readonly { readonly end: number; readonly usage: Usage | undefined }[]
  /** Usage of the answer that a log or trace has beside the messages. */
  readonly answerUsage?: Usage
  /** Usage of all requests together, where only that is stated. */
  readonly usageTotal?: UsageTotal
}

/** A conversation with the texts it was read from, index by index with `messages` and `results`. */
export interface ReadConversation extends Conversation {
  readonly messageTexts: readonly MessageTexts[]
  /** Arguments of every call as text, index by index with `calls`. */
  readonly callArguments: readonly string[]
  readonly resultTexts: readonly (readonly string[])[]
  /** Tool schemas of the request as JSON text; empty when there are none. */
  readonly toolSchemas: string
}

type OfMessage = { readonly message: number }

/** Groups calls or results by the index of their message; the order within a group is unchanged. */
export function groupByMessage<Item extends OfMessage>(
  items: readonly Item[],
): ReadonlyMap<number, readonly Item[]> {
  return groupBy(items, ({ message }) => message)
}

/** The same with the indexes of the calls or results. */
export function indexByMessage(
  items: readonly OfMessage[],
): ReadonlyMap<number, readonly number[]> {
  return groupBy([...items.keys()], (index) => items[index]?.message as number)
}

/** Timestamps before 2001 are ignored, so the size of a number tells seconds from milliseconds. */
const EARLIEST_SECONDS = 1e9
const EARLIEST_MILLISECONDS = 1e12

/**
 * Converts an ISO 8601 text, or a number of seconds or milliseconds, to milliseconds since 1970; undefined for anything
 * else. A text without an offset is read as UTC, so the result does not depend on the machine's time zone.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') {
    if (value >= EARLIEST_MILLISECONDS) return value
    return value >= EARLIEST_SECONDS ? value * 1000 : undefined
  }
  if (typeof value !== 'string') return undefined
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/.exec(value)
  if (found === null) return undefined
  const time = Date.parse(`${found[1]}T${found[2]}${found[3] ?? 'Z'}`)
  return Number.isNaN(time) ? undefined : time
}

/** All usage that is stated, in the order of the answers. */
export function usagesOf(conversations: readonly Pick<Conversation, 'messages' | 'answerUsage'>[]) {
  return conversations.flatMap(({ messages, answerUsage }) =>
    [...messages.map(({ usage }) => usage), answerUsage].flatMap((usage) => usage ?? []),
  )
}
