/** Runs a text through every stage of the core, and checks after each what must hold for any text. */
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import { convertToChat } from '../../lib/core/convert/to-chat'
import { type ReadDocument, readDocument } from '../../lib/core/formats/read-document'
import { REQUEST_RULES } from '../../lib/core/loop/check-request'
import { findRepeatedCalls } from '../../lib/core/loop/find-repeated-calls'
import { ALL_GUARDS, DEFAULT_LIMITS } from '../../lib/core/loop/loop-limits'
import { createArgumentRepair } from '../../lib/core/loop/repair-call-arguments'
import { type MaskedDocument, maskDocument } from '../../lib/core/mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { repairDocument } from '../../lib/core/repair/repair-document'
import { repairEdits } from '../../lib/core/repair/repair-edits'
import type { Replay } from '../../lib/core/replay/replay'
import { requestsCsv } from '../../lib/core/report/report-csv'
import { EXPORT_TARGETS } from '../../lib/core/share/exports/export-targets'
import { fixtureFiles } from '../../lib/core/share/fixture'
import { inputWithoutTranscript } from '../../lib/core/testing/export-input'
import { countQuarters } from '../../lib/core/testing/policies'
import { applyEdits, type Edit } from '../../lib/core/text/span'
import {
  type ConversationCounts,
  countConversation,
} from '../../lib/core/tokens/count-conversation'
import { createRequestBuilder } from '../../lib/worker/build-request'
import { checkCounts, checkReplay } from './check-costs'
import {
  checkArriving,
  checkPacked,
  checkSecrets,
  checkSettings,
  isJson,
  must,
  read,
} from './check-text'
import type { RandomDocument } from './random-documents'

export interface Failure {
  readonly stage: string
  readonly message: string
}

const MASK_ALL: MaskPolicy = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

/** Returns what failed first, or undefined. */
export async function checkDocument(made: RandomDocument): Promise<Failure | undefined> {
  let stage = 'read'
  try {
    const { text, policy } = made
    const document = read(text)
    stage = 'arrive'
    checkArriving(text)
    stage = 'settings'
    checkSettings(policy)
    stage = 'pack'
    checkPacked(text, policy)
    stage = 'secrets'
    await checkSecrets(text)
    if (document === undefined) return undefined
    stage = 'count'
    const counts = document.conversations.map((one) => countConversation(one, countQuarters))
    checkCounts(document, counts)
    stage = 'mask'
    const masked = checkMasked(document, policy)
    stage = 'mask again'
    checkMaskedAgain(document)
    stage = 'replay'
    const replayed = checkReplay(document, counts, masked, policy)
    stage = 'export'
    checkExports(document, masked, policy, replayed)
    stage = 'convert'
    checkConverted(document, masked)
    stage = 'repair'
    checkRepair(document)
    stage = 'loop'
    checkLoop(document, counts, policy)
    return undefined
  } catch (error) {
    return {
      stage,
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

function checkMasked(document: ReadDocument, policy: MaskPolicy): MaskedDocument {
  const { text } = document.source
  const off = maskDocument({ text, ...document }, DEFAULT_POLICY)
  must(off.text === text, 'the same text while masking is off')
  const masked = maskDocument({ text, ...document }, policy, countQuarters)
  checkEdits(text, masked.text, masked.edits)
  for (const [at, decisions] of masked.decisions.entries()) {
    const { results } = document.conversations[at] as ReadConversation
    must(decisions.length === results.length, 'a decision for each result')
    for (const [index, { action, placeholder }] of decisions.entries()) {
      must((action === 'mask') === (placeholder !== undefined), 'a placeholder for masked results')
      must(action === 'keep' || (results[index]?.slots.length ?? 0) > 0, 'a slot to mask')
    }
  }
  return masked
}

function checkEdits(source: string, output: string, edits: readonly Edit[]): void {
  let from = 0
  let shift = 0
  for (const { start, end, text } of [
    ...edits,
    { start: source.length, end: source.length, text: '' },
  ]) {
    must(start >= from && end >= start, 'edits in ascending order')
    const isSame = source.slice(from, start) === output.slice(from + shift, start + shift)
    must(isSame, `characters ${from} to ${start} unchanged`)
    shift += text.length - (end - start)
    from = end
  }
  must(output.length === source.length + shift, 'nothing after the last edit')
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
  checkEdits(source.text, applyEdits(source.text, edits), edits)
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
