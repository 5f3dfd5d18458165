import type { ReadConversation } from '../conversation/conversation'
import { assertReadError, type Problem, ReadError } from '../problem'
import type { TextSlices } from '../text/span'
import { phrase } from '../words/words'
import { agentsSdk } from './agents-sdk/agents-sdk'
import { antigravity } from './antigravity/antigravity'
import { atif } from './atif/atif'
import { chatgpt } from './chatgpt/chatgpt'
import { claudeCode } from './claude-code/claude-code'
import { codex } from './codex/codex'
import { continueSession } from './continue/continue'
import { copilotChat } from './copilot/copilot-chat'
import { copilotCli } from './copilot/copilot-cli'
import { dataSet } from './data-set/data-set'
import { droid } from './droid/droid'
import { goose } from './goose/goose'
import { grokBuild, grokCli } from './grok/grok'
import { inspect } from './inspect/inspect'
import { kimiCode } from './kimi-code/kimi-code'
import { langfuse } from './langfuse/langfuse'
import { harLineReader, readHar } from './network/read-har'
import { recogniseCopiedRequests } from './network/recognise-copied-requests'
import { opencode } from './opencode/opencode'
import { openhands } from './openhands/openhands'
import { opentelemetry } from './opentelemetry/opentelemetry'
import { pi } from './pi/pi'
import { pydanticAi } from './pydantic-ai/pydantic-ai'
import { qwenCode } from './qwen-code/qwen-code'
import { REQUEST_FORMATS } from './read-nested-messages'
import { withRepeatsElsewhere } from './reading/duplicate-finder'
import {
  findUnreadConversations,
  findUnreadLines,
  findUnreadResults,
  findUnreadTools,
  hasMessageLists,
  nameUnreadFile,
  type RecognisedFormat,
} from './reading/find-unread-conversations'
import { type Evidence, type Format, type FormatReading, namesOf } from './reading/format'
import { openSource } from './reading/open-source'
import { wasMasked } from './reading/read-usage'
import { describeJson } from './reading/report'
import { openRows, type SourceDocument } from './reading/source-document'
import { sweAgent } from './swe-agent/swe-agent'

/** Every format in the order of detection: formats with marks of their own come before those recognised by roles. */
export const FORMATS = [
  sweAgent,
  openhands,
  inspect,
  langfuse,
  opentelemetry,
  qwenCode,
  claudeCode,
  pi,
  droid,
  grokBuild,
  grokCli,
  antigravity,
  chatgpt,
  copilotCli,
  copilotChat,
  goose,
  opencode,
  continueSession,
  agentsSdk,
  pydanticAi,
  kimiCode,
  atif,
  codex,
  dataSet,
  ...REQUEST_FORMATS,
] as const satisfies readonly Format[]

/** The id of a format; a link or file from another version may have an unknown one. */
export type FormatId = (typeof FORMATS)[number]['id']

const LINE_READERS = [...FORMATS, harLineReader(FORMATS)]

/** Shapes of documents that have messages and nothing else. */
const MESSAGES: readonly Evidence['shape'][] = [
  'message_array',
  'message_lines',
  'body_lines',
  'nested_lists',
  'request_body',
]

/** Formats of what is sent; those of other formats have copies beside their messages. */
const REQUESTS: readonly FormatId[] = [
  ...(['gemini', 'bedrock-converse', 'anthropic-messages'] as const),
  ...(['openai-responses', 'openai-chat', 'data-set'] as const),
]

export interface ReadDocument<Text extends TextSlices = string> {
  readonly source: { readonly text: Text; readonly layout: SourceDocument['layout'] }
  readonly format: Format<FormatId>
  readonly evidence: Evidence
  /** Ids of all formats that recognise the document, in the order of `FORMATS`. */
  readonly candidates: readonly FormatId[]
  readonly conversations: readonly ReadConversation[]
  readonly problems: readonly Problem[]
}

export interface ReadOptions {
  /** Format to read the text as, instead of the first that recognises it. */
  readonly format?: FormatId | undefined
  /** Receives the share that is done, from 0 to 1. */
  readonly onProgress?: (done: number) => void
}

/**
 * Reads a text, or its lines read already, as the first format that recognises it, or as the requested one; a HAR file by
 * its request bodies.
 * Throws a `ReadError` when the text is not JSON, not a conversation or not of the requested format.
 */
export function readDocument(input: string, options?: ReadOptions): ReadDocument
export function readDocument(
  input: string | SourceDocument,
  options?: ReadOptions,
): ReadDocument<TextSlices>
export function readDocument(
  input: string | SourceDocument,
  { format: wanted, onProgress }: ReadOptions = {},
): ReadDocument<TextSlices> {
  const source = openRows(typeof input === 'string' ? openText(input, onProgress) : input)
  const har = readHar(source, FORMATS, wanted)
  // Its values and positions take several times the memory of the text.
  const { text, layout } = source
  if (har !== undefined) return { source: { text, layout }, ...har }
  const found = FORMATS.flatMap((format): RecognisedFormat<FormatId>[] => {
    // Each looks at the whole document: the caller learns that reading goes on.
    onProgress?.(1)
    const evidence = format.recognise(source)
    return evidence === null ? [] : [{ format, evidence }]
  })
  const wantedOnes = found.filter(({ format }) => wanted === undefined || format.id === wanted)
  const read = readFirst(source, wantedOnes)
  if (read === undefined) throw notRecognised(source, wanted)
  const { chosen, conversations, problems } = read
  const others = findUnreadConversations(source, chosen, conversations, found)
  const { shape } = chosen.evidence
  const said = [
    ...problems,
    ...others,
    ...(others.length === 0 ? findUnreadLines(source, chosen, conversations, LINE_READERS) : []),
  ]
  // Traces repeat answers and results in many places.
  const isPlain = MESSAGES.includes(shape)
  if (shape !== 'trace') said.push(...findUnreadResults(source, conversations, said))
  // What was skipped is said already.
  if (isPlain && said.length === 0) said.push(...findUnreadTools(source, conversations))
  const isRequest = isPlain && REQUESTS.includes(chosen.format.id)
  const masked = source.values.filter(({ value }) => wasMasked(value))
  if (masked.length > 0) {
    const values = { count: masked.length, all: source.values.length }
    said.push({ code: 'masked_recording', values, offset: masked[0]?.tree.start })
  }
  return {
    source: { text, layout },
    ...chosen,
    candidates: found.map(({ format }) => format.id),
    // Of a request, only the contents of results may change.
    conversations: isRequest ? conversations : withRepeatsElsewhere(source, conversations),
    problems: [...source.problems, ...said],
  }
}

/** How server-sent events begin. */
const EVENT_FIELD = /^\s*(?:data|event|id|retry):/

function openText(text: string, onProgress: ReadOptions['onProgress']): SourceDocument {
  const copied = recogniseCopiedRequests(text)
  if (copied !== undefined) {
    const { kind, count, body } = copied
    if (kind === 'streamed_answer') throw new ReadError('streamed_answers', { count }, 0)
    const code = body === undefined ? 'copied_request_without_json' : 'copied_request'
    throw new ReadError(code, { kind: phrase(kind) }, 0)
  }
  // What `recogniseCopiedRequests` finds no answer in.
  if (EVENT_FIELD.test(text)) throw new ReadError('no_streamed_answer', {}, 0)
  return openSource(text, onProgress)
}

/**
 * Reads the source as the first format. Where that refuses it or finds no result, the first format that finds one is
 * taken: a span of a trace can have a chat as its input and an answer of another format as its output.
 */
function readFirst(source: SourceDocument, found: readonly RecognisedFormat<FormatId>[]) {
  let first: (FormatReading & { readonly chosen: RecognisedFormat<FormatId> }) | undefined
  let refusal: ReadError | undefined
  for (const chosen of found) {
    if (first !== undefined && !hasMessageLists(chosen)) continue
    try {
      const reading = { chosen, ...chosen.format.read(source) }
      if (reading.conversations.some(({ results }) => results.length > 0)) return reading
      first ??= reading
    } catch (error) {
      assertReadError(error)
      if (!hasMessageLists(chosen)) throw error
      refusal ??= error
    }
    if (first !== undefined && !hasMessageLists(first.chosen)) return first
  }
  if (first === undefined && refusal !== undefined) throw refusal
  return first
}

function notRecognised(source: SourceDocument, wanted: FormatId | undefined): ReadError {
  const [first] = source.values
  const found =
    source.layout === 'json'
      ? describeJson(first?.value)
      : phrase('json_lines', { found: describeJson(first?.value) })
  const format = FORMATS.find(({ id }) => id === wanted)
  if (format !== undefined) {
    return new ReadError('not_this_format', { found, ...namesOf(format) }, 0)
  }
  const known = nameUnreadFile(source)
  if (known !== undefined) return known
  return source.layout === 'json'
    ? new ReadError('no_conversation', { found }, 0)
    : new ReadError('no_conversation_lines', { lines: source.values.length }, 0)
}
