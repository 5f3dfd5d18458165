/** Runs a text through every stage of the core, and checks after each what must hold for any text. */
import { ok as must } from 'node:assert/strict'
import type { ReadConversation } from '../../../lib/core/conversation/conversation'
import { convertToChat } from '../../../lib/core/convert/to-chat'
import { lastConversationOf, prepareSession } from '../../../lib/core/fleet/measure-sessions'
import { type ReadDocument, readDocument } from '../../../lib/core/formats/read-document'
import { REQUEST_RULES } from '../../../lib/core/loop/check-request'
import { findRepeatedCalls } from '../../../lib/core/loop/find-repeated-calls'
import { createArgumentRepair } from '../../../lib/core/loop/signature'
import { OPTIONS } from '../../../lib/core/loop/testing/inspect-calls'
import { maskDocument } from '../../../lib/core/mask/mask-document'
import { DEFAULT_POLICY } from '../../../lib/core/policy/policy'
import { ReadError } from '../../../lib/core/problem'
import { repairDocument } from '../../../lib/core/repair/repair-document'
import { repairEdits } from '../../../lib/core/repair/repair-edits'
import { CACHE_FAMILIES } from '../../../lib/core/replay/cache-rules'
import { UNKNOWN_PRICES } from '../../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../../lib/core/replay/replay'
import { createSessions } from '../../../lib/core/replay/sessions'
import { pointAt, sweepPrepared } from '../../../lib/core/replay/sweep'
import { requestsCsv } from '../../../lib/core/report/report-csv'
import { EXPORT_TARGETS } from '../../../lib/core/share/exports/export-targets'
import { findSecrets } from '../../../lib/core/share/secrets/find-secrets'
import { redactSecrets } from '../../../lib/core/share/secrets/redact-secrets'
import { expectEqualOutside } from '../../../lib/core/testing/expect-masked'
import { inputWithoutTranscript } from '../../../lib/core/testing/export-input'
import { countQuarters } from '../../../lib/core/testing/policies'
import { parseJson } from '../../../lib/core/text/json'
import { applyEdits } from '../../../lib/core/text/span'
import { countConversation } from '../../../lib/core/tokens/count-conversation'
import { describeProblem } from '../../../lib/core/words/english'
import { createRequestBuilder } from '../../../lib/worker/build-request'
import type { DamagedDocument } from './damaged-documents'

const TERMS = { prices: UNKNOWN_PRICES, rule: CACHE_FAMILIES[0]?.rule ?? { kind: 'none' } } as const
const ON = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
const MASK_ALL = { ...ON, keepErrors: false, textParts: true }

/** Throws an error that names what does not hold. */
export async function checkDocument({ text, policy }: DamagedDocument): Promise<void> {
  const document = read(text)
  await checkSecrets(text)
  if (document === undefined) return
  checkMaskedAgain(document)
  checkRepair(document)
  const masked = maskDocument({ text, ...document }, policy, countQuarters)
  expectEqualOutside(text, masked.text, masked.edits)
  const { source, conversations } = document
  const counts = conversations.map((one) => countConversation(one, countQuarters))
  const repair = createArgumentRepair()
  const build = createRequestBuilder(document, countQuarters)
  for (const [at, conversation] of conversations.entries()) {
    const decisions = masked.decisions[at] ?? []
    const { messages, results, perRequest } = counts[at] as (typeof counts)[number]
    must(messages.length === conversation.messages.length, 'a count for each message')
    must(results.length === conversation.results.length, 'a count for each result')
    must(decisions.length === conversation.results.length, 'a decision for each result')
    must([...messages, ...results, perRequest].every(isCount), 'whole counts of at least 0')
    for (const [index, { action, placeholder }] of decisions.entries()) {
      must((action === 'mask') === (placeholder !== undefined), 'a placeholder for masked results')
      const { spans } = conversation.results[index] as (typeof conversation.results)[number]
      must(action === 'keep' || spans.length > 0, 'a span to mask')
    }
    if (at >= 4) continue
    const placeholders = decisions.map(({ placeholder }) => placeholder)
    checkConverted(convertToChat(source.text, conversation))
    checkConverted(convertToChat(source.text, conversation, placeholders))
    const own = counts[at] as (typeof counts)[number]
    const report = findRepeatedCalls(conversation, own, countQuarters, repair, OPTIONS)
    const isOfCalls = report.stopped.length <= report.calls
    must(isOfCalls, 'no more stopped calls than calls')
    const asked = { conversation: at, policy, model: 'gpt-5', language: 'en' as const }
    const { texts, tokens, problems } = build(asked, 0) ?? {}
    if (texts === undefined) continue
    must(isJson(texts.whole) && isJson(texts.masked), 'a request that is JSON')
    must((tokens?.before ?? 0) >= 0 && (tokens?.after ?? 0) >= 0, 'tokens of at least 0')
    // Names and arguments of the transcript are kept as they are, which some providers reject.
    const broken = problems?.filter(({ rule }) => REQUEST_RULES[rule] === 'all') ?? []
    must(broken.length === 0, `a request that keeps the rules, not ${JSON.stringify(broken)}`)
  }

  for (const session of createSessions(conversations, counts).slice(0, 4)) {
    const at = lastConversationOf(session)
    const { resultTexts } = conversations[at] as ReadConversation
    const prepared = prepareSession(session, resultTexts, policy, countQuarters)
    const window = policy.enabled ? policy : { windowTurns: 0, batchTurns: 1 }
    const replayed = replayPrepared(prepared, window, TERMS)
    for (const { tokens, split } of [replayed.before, replayed.after]) {
      must(split.read + split.written + split.fresh === tokens, 'each token counted once')
      must(tokens >= 0 && split.read >= 0 && split.written >= 0, 'tokens of at least 0')
    }
    const swept = sweepPrepared(prepared, TERMS, { batches: [1, window.batchTurns] })
    must(swept.before.tokens === replayed.before.tokens, 'the same total without masking')
    const { total } = pointAt(swept, window) ?? { total: replayed.after }
    must(total.tokens === replayed.after.tokens, 'the total of the sweep')
    const last = session.requests.at(-1)
    const maskedResults = masked.decisions[at]?.filter(({ action }) => action === 'mask').length
    if (last?.end === session.conversation.messages.length)
      must(replayed.requests.at(-1)?.maskedResults === maskedResults, 'the replay masks the same')
    const facts = { replayed, charged: undefined, calibration: undefined }
    must(requestsCsv(facts) !== '', 'a table of the requests')
  }

  for (const target of EXPORT_TARGETS) {
    const written = target.write(inputWithoutTranscript(policy, "it's a\n.json"))
    must(written !== '', `text from ${target.id}`)
  }
}

const isJson = (text: string) => parseJson(text) !== undefined
const isCount = (count: number) => Number.isSafeInteger(count) && count >= 0

/** A document, or undefined if the text is refused with a sentence and a place in the text. */
function read(text: string): ReadDocument | undefined {
  try {
    const document = readDocument(text)
    for (const { offset = 0 } of document.problems)
      must(offset >= 0 && offset <= text.length, 'a place in the text')
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

async function checkSecrets(text: string): Promise<void> {
  const secrets = await findSecrets(text)
  for (const { start, end } of secrets.flatMap(({ spans }) => spans))
    must(start >= 0 && start < end && end <= text.length, 'a secret inside the text')
  if (isJson(text)) must(isJson(redactSecrets(text, secrets)), 'JSON after redaction')
}

/** What is masked once stays as it is, and is still a document of its format. */
function checkMaskedAgain(document: ReadDocument): void {
  const { text } = document.source
  const off = maskDocument({ text, ...document }, DEFAULT_POLICY)
  must(off.text === text, 'the same text while masking is off')
  const once = maskDocument({ text, ...document }, MASK_ALL).text
  const again = readDocument(once, { format: document.format.id })
  must(again.conversations.length === document.conversations.length, 'the same conversations')
  must(maskDocument({ text: once, ...again }, MASK_ALL).text === once, 'the same text again')
}

function checkConverted({ text, lost }: ReturnType<typeof convertToChat>): void {
  must(!lost.some(({ count }) => count === 0), 'losses of at least 1')
  if (JSON.parse(text).messages.length === 0) return
  const again = readDocument(text, { format: 'openai-chat' })
  must(again.conversations.length === 1, 'one conversation in chat completions')
}

function checkRepair({ source: { text }, format, conversations }: ReadDocument): void {
  const { calls } = repairDocument({ text, format: format.id, conversations })
  const edits = repairEdits(calls)
  expectEqualOutside(text, applyEdits(text, edits), edits)
  for (const { result } of calls)
    if (result.state === 'repaired') must(isJson(result.text), 'repaired arguments that are JSON')
}
