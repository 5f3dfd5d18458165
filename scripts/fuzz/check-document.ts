/** Runs a text through every stage of the core, and checks after each what must hold for any text. */
import { ok as must } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import { convertToChat } from '../../lib/core/convert/to-chat'
import { lastConversationOf, prepareSession } from '../../lib/core/fleet/measure-sessions'
import { type ReadDocument, readDocument } from '../../lib/core/formats/read-document'
import { ArrivingSource } from '../../lib/core/formats/reading/open-source'
import type { SourceDocument } from '../../lib/core/formats/reading/source-document'
import { REQUEST_RULES } from '../../lib/core/loop/check-request'
import { findRepeatedCalls } from '../../lib/core/loop/find-repeated-calls'
import { createArgumentRepair } from '../../lib/core/loop/signature'
import { ALL_GUARDS, DEFAULT_LIMITS } from '../../lib/core/loop/tool-call-manager'
import { type MaskedDocument, maskDocument } from '../../lib/core/mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { problemOfReading, ReadError } from '../../lib/core/problem'
import { repairDocument } from '../../lib/core/repair/repair-document'
import { repairEdits } from '../../lib/core/repair/repair-edits'
import { CACHE_FAMILIES } from '../../lib/core/replay/cache-rules'
import { decideRequest } from '../../lib/core/replay/decide-request'
import { UNKNOWN_PRICES } from '../../lib/core/replay/price-sheet'
import { type Replay, replayPrepared } from '../../lib/core/replay/replay'
import { createSessions } from '../../lib/core/replay/sessions'
import { pointAt, sweepPrepared } from '../../lib/core/replay/sweep'
import { requestsCsv } from '../../lib/core/report/report-csv'
import { EXPORT_TARGETS } from '../../lib/core/share/exports/export-targets'
import { fixtureFiles } from '../../lib/core/share/fixture'
import { findSecrets } from '../../lib/core/share/secrets/find-secrets'
import { redactSecrets } from '../../lib/core/share/secrets/redact-secrets'
import { expectEqualOutside } from '../../lib/core/testing/expect-masked'
import { inputWithoutTranscript } from '../../lib/core/testing/export-input'
import { countQuarters } from '../../lib/core/testing/policies'
import { applyEdits } from '../../lib/core/text/span'
import {
  type ConversationCounts,
  countConversation,
} from '../../lib/core/tokens/count-conversation'
import { describeProblem } from '../../lib/core/words/english'
import { createRequestBuilder } from '../../lib/worker/build-request'
import type { DamagedDocument } from './damaged-documents'

const RULE = CACHE_FAMILIES[0]?.rule ?? { kind: 'none' }

const MASK_ALL: MaskPolicy = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

/** Throws an error that names what does not hold. */
export async function checkDocument({ text, policy }: DamagedDocument): Promise<void> {
  const document = read(text)
  checkArriving(text)
  await checkSecrets(text)
  if (document === undefined) return
  const counts = document.conversations.map((one) => countConversation(one, countQuarters))
  checkCounts(document, counts)
  const masked = checkMasked(document, policy)
  checkMaskedAgain(document)
  const replayed = checkReplay(document, counts, masked, policy)
  checkExports(document, masked, policy, replayed)
  checkConverted(document, masked)
  checkRepair(document)
  checkLoop(document, counts, policy)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A document, or undefined if the text is refused with a sentence and a place in the text. */
function read(text: string): ReadDocument | undefined {
  try {
    const document = readDocument(text)
    for (const { offset } of document.problems)
      must(offset === undefined || (offset >= 0 && offset <= text.length), 'a place in the text')
    return document
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    const { problem } = error
    must(problem.code !== 'reader_failed', 'a reader that does not fail')
    must((problem.offset ?? 0) <= text.length, 'a place in the text')
    must(describeProblem(problem).length > 10, 'a sentence')
    return undefined
  }
}

/** A file that arrives in chunks is read like its text. */
function checkArriving(text: string): void {
  if (!text.isWellFormed()) return
  const bytes = new TextEncoder().encode(text)
  const arriving = new ArrivingSource(new Uint8Array(bytes.length))
  const chunkSize = Math.ceil(bytes.length / (2 + (bytes.length % 29)))
  for (let at = 0; at < bytes.length; at += chunkSize) arriving.add(bytes.slice(at, at + chunkSize))
  const isSame = isDeepStrictEqual(
    readingOf(() => arriving.finish()),
    readingOf(() => text),
  )
  must(isSame, 'the same reading in chunks')
}

/** What is read, without its source's texts, or the problem. */
function readingOf(open: () => string | SourceDocument): unknown {
  try {
    const { source, ...reading } = readDocument(open())
    return { ...reading, text: source.text.slice(0), layout: source.layout }
  } catch (error) {
    return problemOfReading(error)
  }
}

async function checkSecrets(text: string): Promise<void> {
  const secrets = await findSecrets(text)
  const redacted = redactSecrets(text, secrets)
  for (const { spans } of secrets)
    for (const { start, end } of spans)
      must(start >= 0 && start < end && end <= text.length, 'a secret inside the text')
  if (isJson(text)) must(isJson(redacted), 'JSON after redaction')
}

function checkCounts(document: ReadDocument, counts: readonly ConversationCounts[]): void {
  for (const [at, { messages, results, perRequest }] of counts.entries()) {
    const conversation = document.conversations[at] as ReadConversation
    must(messages.length === conversation.messages.length, 'a count for each message')
    must(results.length === conversation.results.length, 'a count for each result')
    const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0
    must([...messages, ...results, perRequest].every(isCount), 'whole counts of at least 0')
  }
}

function checkReplay(
  { conversations }: ReadDocument,
  counts: readonly ConversationCounts[],
  masked: MaskedDocument,
  policy: MaskPolicy,
): Replay | undefined {
  let last: Replay | undefined
  for (const session of createSessions(conversations, counts).slice(0, 4)) {
    const at = lastConversationOf(session)
    const { resultTexts } = conversations[at] as ReadConversation
    const terms = { prices: UNKNOWN_PRICES, rule: RULE }
    const prepared = prepareSession(session, resultTexts, policy, countQuarters)
    const window = policy.enabled ? policy : { windowTurns: 0, batchTurns: 1 }
    const replayed = replayPrepared(prepared, window, terms)
    last = replayed
    for (const { tokens, split } of [replayed.before, replayed.after]) {
      must(split.read + split.written + split.fresh === tokens, 'each token counted once')
      must(tokens >= 0 && split.read >= 0 && split.written >= 0, 'tokens of at least 0')
    }
    const swept = sweepPrepared(prepared, terms, { batches: [1, window.batchTurns] })
    must(swept.before.tokens === replayed.before.tokens, 'the same total without masking')
    const point = pointAt(swept, window)
    if (point !== undefined)
      must(point.total.tokens === replayed.after.tokens, 'the total of the sweep')
    const end = session.requests.length - 1
    if (end < 0 || session.requests[end]?.end !== session.conversation.messages.length) continue
    const decided = decideRequest(session, end, policy, {
      textOf: (index) => resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
    })
    const count = (decisions: readonly { readonly action: string }[]) =>
      decisions.filter(({ action }) => action === 'mask').length
    must(replayed.requests[end]?.maskedResults === count(decided), 'the replay masks as it decides')
    must(count(decided) === count(masked.decisions[at] ?? []), 'the replay masks as the document')
  }
  return last
}

function checkMasked(document: ReadDocument, policy: MaskPolicy): MaskedDocument {
  const { text } = document.source
  const off = maskDocument({ text, ...document }, DEFAULT_POLICY)
  must(off.text === text, 'the same text while masking is off')
  const masked = maskDocument({ text, ...document }, policy, countQuarters)
  expectEqualOutside(text, masked.text, masked.edits)
  for (const [at, decisions] of masked.decisions.entries()) {
    const { results } = document.conversations[at] as ReadConversation
    must(decisions.length === results.length, 'a decision for each result')
    for (const [index, { action, placeholder }] of decisions.entries()) {
      must((action === 'mask') === (placeholder !== undefined), 'a placeholder for masked results')
      must(action === 'keep' || (results[index]?.spans.length ?? 0) > 0, 'a span to mask')
    }
  }
  return masked
}

/** What is masked once stays as it is, and is still a document of its format. */
function checkMaskedAgain(document: ReadDocument): void {
  const { text } = document.source
  const once = maskDocument({ text, ...document }, MASK_ALL).text
  const again = readDocument(once, { format: document.format.id })
  must(again.conversations.length === document.conversations.length, 'the same conversations')
  must(maskDocument({ text: once, ...again }, MASK_ALL).text === once, 'the same text again')
}

function checkExports(
  document: ReadDocument,
  { text: output, decisions }: MaskedDocument,
  policy: MaskPolicy,
  replayed: Replay | undefined,
): void {
  const { source, conversations } = document
  const conversation = conversations[0]
  const shown = conversation && { conversation, decisions: decisions[0] ?? [] }
  for (const target of EXPORT_TARGETS) {
    const { text, cleared } = target.write({
      ...inputWithoutTranscript(policy, "it's a\n.json"),
      shown,
    })
    must(text !== '', `text from ${target.id}`)
    for (const index of cleared ?? [])
      must(index < (conversation?.results.length ?? 0), `${target.id} clears results that exist`)
  }
  if (replayed !== undefined) {
    const facts = { replayed, charged: undefined, calibration: undefined }
    must(requestsCsv(facts) !== '', 'a table of the requests')
  }
  const { layout, text: input } = source
  fixtureFiles({ input, output, policy, layout, conversations, decisions })
}

function checkConverted({ source, conversations }: ReadDocument, masked: MaskedDocument): void {
  for (const [at, conversation] of conversations.slice(0, 4).entries()) {
    const placeholders = masked.decisions[at]?.map(({ placeholder }) => placeholder)
    for (const { text, lost } of [
      convertToChat(source.text, conversation),
      convertToChat(source.text, conversation, placeholders),
    ]) {
      must(
        lost.every(({ count }) => count > 0),
        'losses of at least 1',
      )
      const { messages } = JSON.parse(text)
      if (messages.length === 0) continue
      const again = readDocument(text, { format: 'openai-chat' })
      must(again.conversations.length === 1, 'one conversation in chat completions')
    }
  }
}

function checkRepair({ source, format, conversations }: ReadDocument): void {
  const { calls, metrics } = repairDocument({
    text: source.text,
    format: format.id,
    conversations,
  })
  must(metrics.valid >= 0, 'a number of calls')
  const edits = repairEdits(calls)
  expectEqualOutside(source.text, applyEdits(source.text, edits), edits)
  for (const { result } of calls)
    if (result.state === 'repaired') must(isJson(result.text), 'repaired arguments that are JSON')
}

function checkLoop(
  document: ReadDocument,
  counts: readonly ConversationCounts[],
  policy: MaskPolicy,
): void {
  const repair = createArgumentRepair()
  const build = createRequestBuilder(document, countQuarters)
  for (const [at, conversation] of document.conversations.slice(0, 4).entries()) {
    const options = {
      limits: DEFAULT_LIMITS,
      guards: ALL_GUARDS,
      signatureTurns: 1,
      fewestErrors: 3,
    }
    const own = counts[at] as ConversationCounts
    const report = findRepeatedCalls(conversation, own, countQuarters, repair, options)
    must(report.repeats.length <= report.calls, 'fewer repeats than calls')
    const built = build({
      document: 0,
      conversation: at,
      results: [],
      options: { style: 'Be brief.', historyMessages: 10, model: 'gpt-5', isWithoutTools: true },
      policy,
      now: 0,
    })
    if (built === undefined) continue
    must(isJson(built.texts.whole) && isJson(built.texts.masked), 'a request that is JSON')
    must(built.tokens.before >= 0 && built.tokens.after >= 0, 'tokens of at least 0')
    // Names and arguments of the transcript are kept as they are, which some providers reject.
    const broken = built.problems.filter(({ rule }) => REQUEST_RULES[rule] === 'all')
    must(broken.length === 0, `a request that keeps the rules, not ${JSON.stringify(broken)}`)
  }
}
