/**
 * Masks the body of a request to a provider, by the readers' own rules: chat completions, OpenAI Responses, Anthropic
 * Messages, Gemini `generateContent` and Bedrock Converse. Any other body, and any failure, leaves the text as it is.
 */

import { countBy } from '../core/conversation/add-to-group'
import type { ReadConversation } from '../core/conversation/conversation'
import { anthropicMessages } from '../core/formats/anthropic/anthropic-messages'
import { bedrockConverse } from '../core/formats/bedrock/bedrock-converse'
import { gemini } from '../core/formats/gemini/gemini'
import { openaiChat } from '../core/formats/openai/openai-chat'
import { openaiResponses } from '../core/formats/openai/openai-responses'
import type { FormatId } from '../core/formats/read-document'
import type { Format } from '../core/formats/reading/format'
import { MESSAGE_LISTS } from '../core/formats/reading/join-growth'
import { openSource } from '../core/formats/reading/open-source'
import type { TokenCounter } from '../core/mask/decide-by-texts'
import { decideConversation, maskEdits } from '../core/mask/mask-document'
import { type BeforeAfter, measureRequest } from '../core/mask/measure-request'
import type { PolicyOfModel, WindowStep } from '../core/policy/break-even'
import { completePolicy } from '../core/policy/complete-policy'
import type { Decision, Reason } from '../core/policy/decide'
import type { MaskPolicy } from '../core/policy/policy'
import { reasonOf } from '../core/problem'
import { policyOfModel } from '../core/replay/cache-rules'
import { isJsonObject } from '../core/text/json'
import { applyEdits } from '../core/text/span'
import { countConversation } from '../core/tokens/count-conversation'
import { inEnglish } from '../core/words/english'
import { asksForSummary, type HeaderReader, statedSession } from './known-clients'
import { type Arrival, headOf, type KnownSession, type MaskMemory } from './mask-memory'

/** What the requests of a process have in common. */
export interface MaskOptions {
  /** Needed for the settings that count tokens. */
  readonly countTokens?: TokenCounter | undefined
  /** Counts the tokens of the request before and after masking for the report; needs `countTokens`. */
  readonly reportTokens?: boolean | undefined
  /** Keeps masked what was masked before in the same session; a wrapper of `fetch` has one of its own by default. */
  readonly memory?: MaskMemory | undefined
  /**
   * Key of the session; by default the id that the client states in a header or in the body, else a hash of the messages
   * before the model's first answer.
   */
  readonly sessionKey?: string | undefined
  /** Headers of the request, with which known clients name their sessions. */
  readonly header?: HeaderReader | undefined
  /** Masks requests for a summary of the conversation too, which are sent whole otherwise. */
  readonly maskCompactions?: boolean | undefined
}

export interface MaskedRequest {
  /** The body with its masked strings replaced; the same text if nothing is masked. */
  readonly text: string
  readonly report: MaskReport
  /** What was decided about the conversation of the body; undefined unless it was read. */
  readonly decided: DecidedRequest | undefined
}

export interface DecidedRequest {
  readonly conversation: ReadConversation
  /** By result. */
  readonly decisions: readonly Decision[]
}

/** What masking did to one request; it has no content of the request. */
export interface MaskReport {
  /**
   * `off`: the policy masks nothing, and the body was not read. `no_request`: the body is no request that is known.
   * `compaction`: it asks for a summary, which is kept for ever, and was sent whole. `failed`: `problem` says why nothing
   * was masked.
   */
  readonly outcome: 'masked' | 'unchanged' | 'compaction' | 'off' | 'no_request' | 'failed'
  readonly problem: string | undefined
  readonly format: FormatId | undefined
  readonly results: number
  readonly maskedResults: number
  /** How many results were masked or kept for each reason. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>
  /** Unicode code points of all message texts. */
  readonly characters: BeforeAfter | undefined
  /** The same of tool results alone. */
  readonly resultCharacters: BeforeAfter | undefined
  /** Bytes of the body in UTF-8. */
  readonly jsonBytes: BeforeAfter | undefined
  /** Undefined unless they were asked for. */
  readonly tokens: BeforeAfter | undefined
  /** Undefined unless the window moves at break-even. */
  readonly window: WindowReport | undefined
  readonly milliseconds: number
}

/** What a window that moves at break-even did in a request. Tokens are characters / 4, debt and price at the input price. */
export type WindowReport = Readonly<ReturnType<typeof reportOf>>

/** In the order in which they are recognised. */
const FORMATS: readonly Format<FormatId>[] = [
  gemini,
  bedrockConverse,
  anthropicMessages,
  openaiResponses,
  openaiChat,
]

const NOTHING = {
  ...{ results: 0, maskedResults: 0, reasons: {} },
  ...{ characters: undefined, resultCharacters: undefined, jsonBytes: undefined },
} as const

/** Masks a body. Settings that are missing are the defaults. Never throws. */
export function maskRequestBody(
  text: string,
  settings: Partial<MaskPolicy>,
  options: MaskOptions = {},
): MaskedRequest {
  const startedAt = performance.now()
  const untouched = (outcome: MaskReport['outcome'], problem?: string): MaskedRequest => {
    const milliseconds = performance.now() - startedAt
    const nothing = { ...NOTHING, format: undefined, tokens: undefined, window: undefined }
    const report = { ...nothing, outcome, problem, milliseconds }
    return { text, report, decided: undefined }
  }
  try {
    const settled = completePolicy(settings)
    if (isOff(settled)) return untouched('off')
    const read = readRequest(text)
    if (read === undefined) return untouched('no_request')
    const arrival = arrivalOf(read, settled, options)
    const { edits, decided, report } = decideRequest(read, settled, arrival, options)
    const masked = applyEdits(text, edits)
    const before = bytesOf(text)
    const jsonBytes = { before, after: edits.length === 0 ? before : bytesOf(masked) }
    const milliseconds = performance.now() - startedAt
    return { text: masked, report: { ...report, jsonBytes, milliseconds }, decided }
  } catch (error) {
    return untouched('failed', inEnglish(reasonOf(error)))
  }
}

const UTF_8 = new TextEncoder()

const bytesOf = (text: string): number => UTF_8.encode(text).length

/** True if a policy masks nothing, so that bodies need not be read. */
export function isOff({ enabled, windowTurns }: Partial<MaskPolicy>): boolean {
  return enabled !== true || (windowTurns !== undefined && windowTurns <= 0)
}

export type ReadRequest = NonNullable<ReturnType<typeof readRequest>>

/**
 * The conversation of a body: that of the list of messages at its top, whatever lists its other members have; where each
 * item of the list starts, and where the list ends.
 */
export function readRequest(text: string) {
  const source = openSource(text)
  const body = source.values[0]?.value
  if (source.layout !== 'json' || !isJsonObject(body)) return undefined
  for (const format of FORMATS) {
    if (format.recognise(source) === null) continue
    const conversation = format
      .read(source)
      .conversations.find(({ label }) => MESSAGE_LISTS.some((list) => list === label))
    if (conversation === undefined) continue
    const list = source.values[0]?.tree.find([conversation.label as string])
    const starts = list?.items.map(({ start }) => start) ?? []
    return { body, conversation, format: format.id, starts, end: list?.end ?? 0 }
  }
  return undefined
}

/** Finds the session of a request, and what the request says of it. */
export function arrivalOf(
  { body, conversation }: ReadRequest,
  policy: MaskPolicy,
  { sessionKey, header = () => undefined }: MaskOptions,
): Arrival {
  const head = headOf(conversation)
  const isFirst = conversation.messages.every(({ isAssistant }) => !isAssistant)
  const hasTools = !['', '[]'].includes(conversation.toolSchemas)
  const key = sessionKey ?? statedSession(body, header) ?? head
  return [key, { policy, head, isFirst, hasTools }]
}

/** True if steps of the window or a size can end elsewhere in a later request. */
const hasSteps = ({ batchTurns, triggerTokens }: MaskPolicy) =>
  batchTurns !== 1 || triggerTokens !== 0

/** True if what is known of its session can change what is decided about a request. */
export function isMemoryNeeded([, { policy, hasTools }]: Arrival): boolean {
  return !hasTools || hasSteps(policy)
}

/** Decides what a policy masks in a request that has arrived: the edits of its body, and what is reported of it. */
export function decideRequest(
  { conversation, body, format }: ReadRequest,
  settled: MaskPolicy,
  arrival: Arrival,
  options: MaskOptions,
) {
  const { memory, header = () => undefined, maskCompactions = false, countTokens } = options
  const policy = policyOfModel(settled, conversation.model)
  const [key, { hasTools }] = arrival
  const before = memory?.arrive(...arrival)
  // It asks for a summary by its words, or because it alone has no tools.
  const lacksTools = before?.hadTools === true && !hasTools
  const isSummary = lacksTools || asksForSummary(conversation, body, header)
  const isCompaction = !maskCompactions && conversation.results.length > 0 && isSummary
  let step: WindowStep | undefined
  const onStep = (last: WindowStep | undefined) => {
    step = last
  }
  const decisions = isCompaction
    ? decideConversation(conversation, { ...policy, enabled: false }, countTokens)
    : decideInSession(conversation, policy, { key, before }, options, onStep)
  const decided: DecidedRequest = { conversation, decisions }
  const measured = measure(decided, options)
  const changed = measured.maskedResults > 0 ? 'masked' : 'unchanged'
  return {
    edits: maskEdits([conversation], [decisions]),
    decided,
    report: {
      outcome: isCompaction ? 'compaction' : changed,
      problem: undefined,
      format,
      reasons: Object.fromEntries(countBy(decisions, ({ reason }) => reason)),
      window: step && reportOf(step),
      ...measured,
    },
  } as const
}

/**
 * Decides as the policy does. A result that was masked before in the session stays masked while it is older than the
 * window, wherever the steps of the window now end, and however few tokens the request now has.
 */
function decideInSession(
  conversation: ReadConversation,
  policy: PolicyOfModel,
  { key, before }: { readonly key: string; readonly before: KnownSession | undefined },
  { countTokens, memory }: MaskOptions,
  onStep: (last: WindowStep | undefined) => void,
): readonly Decision[] {
  const decisions = decideConversation(conversation, policy, countTokens, onStep)
  if (memory === undefined || !hasSteps(policy)) return decisions
  const { results } = conversation
  const isKeptNow = (at: number): boolean => {
    const reason = decisions[at]?.reason
    const isByStep = reason === 'in_window' || reason === 'below_trigger'
    return isByStep && before?.callIds.has(results[at]?.callId ?? '') === true
  }
  const stepless = { ...policy, batchTurns: 1, triggerTokens: 0 }
  const kept = results.some((_, at) => isKeptNow(at))
    ? decideConversation(conversation, stepless, countTokens)
    : decisions
  const sticky = decisions.map((decision, at) =>
    isKeptNow(at) && kept[at]?.action === 'mask' ? kept[at] : decision,
  )
  const masked = results.filter((_, at) => sticky[at]?.action === 'mask')
  memory.remember(
    key,
    masked.flatMap(({ callId }) => callId ?? []),
  )
  return sticky
}

/** Stale tokens are older than the window when it was decided; if it has not moved, they are sent unmasked once more. */
function reportOf({ isMove, staleTokens, debt, priceOfMoving }: WindowStep) {
  return { moved: isMove, staleTokens, debt, priceOfMoving }
}

function measure(
  { conversation, decisions }: DecidedRequest,
  { countTokens, reportTokens = false }: MaskOptions,
): Pick<MaskReport, 'results' | 'maskedResults' | 'characters' | 'resultCharacters' | 'tokens'> {
  if (reportTokens && countTokens === undefined) {
    throw new RangeError('reportTokens needs a token counter; pass countTokens.')
  }
  const count = reportTokens && countTokens !== undefined ? countTokens : () => 0
  const placeholders = decisions.map(({ placeholder }) =>
    placeholder === undefined ? 0 : count(placeholder),
  )
  const counts = countConversation(conversation, count)
  const { results, maskedResults, chars, resultChars, tokens } = measureRequest(
    conversation,
    counts,
    decisions,
    placeholders,
  )
  return {
    ...{ results, maskedResults, characters: chars, resultCharacters: resultChars },
    tokens: reportTokens ? tokens : undefined,
  }
}
