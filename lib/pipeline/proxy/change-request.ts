import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadConversation } from '../../core/conversation/conversation'
import type { TokenCounter } from '../../core/mask/decide-by-texts'
import { type BeforeAfter, measureRequest } from '../../core/mask/measure-request'
import { type MaskPolicy, needsCounts } from '../../core/policy/policy'
import { repairDocumentInSteps } from '../../core/repair/repair-document'
import { repairEdits } from '../../core/repair/repair-edits'
import { REPAIR_LIMITS } from '../../core/repair/repair-limits'
import { applyEdits } from '../../core/text/span'
import { countConversation } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import {
  type DecidedRequest,
  isOff,
  type MaskOptions,
  maskRequestBody,
  type ReadRequest,
  readRequest,
} from '../mask-request'
import type { RequestSummary } from './proxy-metrics'

/** What becomes of the body of a request. */
export interface RequestChange {
  /** The body to send; undefined if it was not read. */
  readonly body: Buffer | undefined
  /** The body as it came, if it has a conversation. */
  readonly read: string | undefined
  /** What was decided; undefined if it was not read. */
  readonly decided: DecidedRequest | undefined
  readonly report: Pick<
    RequestSummary,
    'masking' | 'maskedResults' | 'reasons' | 'repairedCalls' | 'maskingTime'
  >
}

/** A request that is sent as it came: `body` is undefined if it was not read. */
export function sentAsItCame(masking: 'unread' | 'untouched', body?: Buffer): RequestChange {
  const nothing = { maskedResults: 0, reasons: {}, repairedCalls: 0, maskingTime: undefined }
  return { body, read: undefined, decided: undefined, report: { masking, ...nothing } }
}

interface ChangeOptions extends Omit<MaskOptions, 'countTokens' | 'read'> {
  readonly repair?: boolean
  readonly shadow?: boolean
  readonly counter: Pick<RequestCounter, 'prepare'>
}

/** Refuses bytes that are not UTF-8: writing them again would change them. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Repairs and masks a body; one that is no conversation, or that cannot be read, is sent as it came. */
export async function changeRequest(
  body: Buffer,
  policy: MaskPolicy,
  { repair = false, shadow = false, counter, ...options }: ChangeOptions,
): Promise<RequestChange> {
  const startedAt = performance.now()
  try {
    const came = UTF_8.decode(body)
    let sent = came
    let repairedCalls = 0
    let read = isOff(policy) && !repair ? undefined : readRequest(came)
    if (repair && !shadow && read !== undefined) {
      const edits = await repairInTurns(came, read)
      repairedCalls = edits.length
      sent = applyEdits(came, edits)
      if (repairedCalls > 0) read = readRequest(sent)
    }
    if (read === undefined && !isOff(policy)) return sentAsItCame('unread', body)
    const countTokens =
      needsCounts(policy) && read !== undefined
        ? await counter.prepare(read.conversation)
        : undefined
    const { text, report, decided } = maskRequestBody(sent, policy, {
      ...options,
      countTokens,
      read,
    })
    const { maskedResults, outcome } = report
    if (outcome === 'failed' || outcome === 'no_request') return sentAsItCame('unread', body)
    const masked = shadow ? 'shadow' : 'masked'
    return {
      body: shadow || text === came ? body : Buffer.from(text),
      read: came,
      decided,
      report: {
        masking: outcome === 'masked' ? masked : outcome === 'off' ? 'unchanged' : outcome,
        maskedResults,
        reasons: report.reasons,
        repairedCalls,
        maskingTime: performance.now() - startedAt,
      },
    }
  } catch {
    return sentAsItCame('unread', body)
  }
}

/** Repairs call by call; other requests get their turn between two. What is left at a limit stays as it is. */
async function repairInTurns(text: string, { conversation, format }: ReadRequest) {
  const document = { text, format, conversations: [conversation] }
  const limits = { ...REPAIR_LIMITS, now: () => performance.now() }
  const steps = repairDocumentInSteps(document, limits)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await nextTurn()
  return repairEdits(step.value.calls)
}

/** A few milliseconds' work: longer texts are counted in pieces, and other requests get their turn between two. */
const PIECE_CHARS = 8_000
const SHORT_TEXT = 100
const MOST_KNOWN = 500_000
/** What is counted keeps its request in memory. */
const MOST_AT_ONCE = 8

/** Its tables are the same for every proxy of a process. */
let loading: ReturnType<typeof loadEncoding> | undefined

/**
 * Cuts a text after a word, where no token goes on, so that the tokens of the pieces are those of the text. Where none ends
 * within a piece, as in base64, each cut can add a token.
 */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  for (; text.length - start > PIECE_CHARS; ) {
    const next = text.slice(start, start + PIECE_CHARS + 1)
    const isInPair = (next.charCodeAt(PIECE_CHARS) & 0xfc00) === 0xdc00
    const cut = /^.*[\p{L}\p{N}](?= )/su.exec(next)?.[0].length ?? PIECE_CHARS - Number(isInPair)
    yield text.slice(start, start + cut)
    start += cut
  }
  yield text.slice(start)
}

type RequestCounter = Awaited<ReturnType<typeof createRequestCounter>>

/**
 * Creates a counter that knows the texts it has counted by their hashes: an agent sends its history with every request, and
 * a proxy for many agents cannot keep the texts.
 */
export async function createRequestCounter() {
  loading ??= loadEncoding('o200k_base')
  const encoding = await loading
  const known = new Map<string, number>()
  const countPiece = (text: string): number => {
    if (text.length < SHORT_TEXT) return encoding.countTokens(text)
    const key = createHash('sha1').update(text).digest('base64')
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const tokens = encoding.countTokens(text)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, tokens)
    return tokens
  }
  const countTokens: TokenCounter = (text) => {
    let tokens = 0
    for (const piece of piecesOf(text)) tokens += countPiece(piece)
    return tokens
  }
  const countTexts = async (conversation: ReadConversation): Promise<TokenCounter> => {
    const totals = new Map<string, number>()
    let chars = 0
    for (const text of textsOf(conversation)) {
      if (totals.has(text)) continue
      let tokens = 0
      for (const piece of piecesOf(text)) {
        tokens += countPiece(piece)
        chars += piece.length
        if (chars < PIECE_CHARS) continue
        chars = 0
        await nextTurn()
      }
      totals.set(text, tokens)
    }
    // The encoding keeps the texts of two generations; here their hashes are enough.
    encoding.forgetOld()
    return (text) => totals.get(text) ?? countTokens(text)
  }
  const prepared = new WeakMap<ReadConversation, Promise<TokenCounter>>()
  const prepare = (conversation: ReadConversation): Promise<TokenCounter> => {
    const run = prepared.get(conversation) ?? countTexts(conversation)
    prepared.set(conversation, run)
    return run
  }
  const counting = new Set<Promise<unknown>>()
  const count = async ({ conversation, decisions }: DecidedRequest): Promise<BeforeAfter> => {
    const countTokens = await prepare(conversation)
    const counts = countConversation(conversation, countTokens)
    const placeholders = decisions.map(({ placeholder }) =>
      placeholder === undefined ? 0 : countTokens(placeholder),
    )
    return measureRequest(conversation, counts, decisions, placeholders).tokens
  }
  return {
    countTokens,
    /** Counts the texts of a conversation, once; resolves with a counter that knows them. */
    prepare,
    count: (request: DecidedRequest): Promise<BeforeAfter> => {
      const run = count(request).finally(() => counting.delete(run))
      counting.add(run)
      return run
    },
    /** Resolves when no more requests are counted than should be. */
    waitForRoom: async (): Promise<void> => {
      while (counting.size >= MOST_AT_ONCE) await Promise.race(counting)
    },
  }
}

/** The texts of a conversation that can be long; those of results are among the contents. */
function textsOf({ messageTexts, callArguments, toolSchemas }: ReadConversation) {
  return [...messageTexts.flatMap(({ contents }) => contents), ...callArguments, toolSchemas]
}
