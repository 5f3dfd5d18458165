/** The comparisons of the replay. */
import { readDocument } from '../../lib/core/formats/read-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import { type PreparedReplay, prepareReplay } from '../../lib/core/replay/prepare-replay'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { replayPrepared, replayTotal } from '../../lib/core/replay/replay'
import type { CostTerms } from '../../lib/core/replay/request-terms'
import { createSession } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { compare } from './compare'
import { linesOf, makeBody } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const RULES = ['openai-5', 'anthropic-1024', 'deepseek-4']

export const REPLAY: readonly (() => Promise<string[]>)[] = [
  () => compareLengths(1_000, 5),
  () => comparePolicies(16_000),
  ...RULES.map((rule) => () => compareSweeping(150, rule)),
  () => compareExpiry(150, 'anthropic-1024'),
  ...RULES.map((rule) => () => compareRepeatedIds(200, rule)),
]

/** Lengths instead of tokens: only the replay is measured. */
const countQuarters = (text: string): number => Math.ceil(text.length / 4)

/** Reads a generated session; the function prepares its replay. */
function read(turns: number, lines = 10, ids = turns) {
  const body = makeBody({ turns, ids, resultOf: linesOf(lines) })
  const [conversation] = readDocument(body).conversations
  if (conversation === undefined) throw new Error('The generated body is not a conversation.')
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  const first: MaskPolicy = { ...POLICY, keepLastKPerTool: 3 }
  return (policy = first, requests = session.requests): PreparedReplay =>
    prepareReplay({ ...session, requests }, policy, {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
    })
}

function termsOf(id: string): CostTerms {
  const family = cacheFamilyById(id) ?? NO_CACHE
  return { prices: priceSheet(undefined, family, { input: 1, output: 4 }), rule: family.rule }
}

/** Quadratic work would be 4 times for each doubling. */
function compareLengths(turns: number, doublings: number): Promise<string[]> {
  const terms = termsOf('anthropic-1024')
  const cases = [0, doublings].map((times) => {
    const length = turns * 2 ** times
    const prepared = read(length, 2)()
    const run = () => replayPrepared(prepared, POLICY, terms)
    return { name: `${length.toLocaleString('en')} turns`, run, atMost: 3 ** times }
  })
  return compare('Replaying a short session and a long one', cases)
}

/** A long session, replayed by every kind of policy, requests and cache rule. */
function comparePolicies(turns: number): Promise<string[]> {
  const prepare = read(turns, 2)
  const { requests } = prepare().session
  const replayOf = (
    name: string,
    changed: Partial<MaskPolicy> = {},
    rule = 'anthropic-1024',
    sent = requests,
  ) => {
    const policy = { ...POLICY, ...changed }
    const prepared = prepare(policy, sent)
    return { name, run: () => replayPrepared(prepared, policy, termsOf(rule)), atMost: 3 }
  }
  const logged = requests.filter((_, request) => request % 2 === 0)
  return compare(`Replaying ${turns.toLocaleString('en')} turns, by policy`, [
    replayOf('Schema 1'),
    replayOf('batches of 16', { batchTurns: 16 }),
    replayOf('the last 3 of each tool', { keepLastKPerTool: 3 }),
    replayOf('without `keep_errors`', { keepErrors: false }),
    replayOf('a trigger', { triggerTokens: turns * 50 }),
    replayOf('a log of every second request', {}, 'anthropic-1024', logged),
    replayOf('cache rule openai-5', {}, 'openai-5'),
    replayOf('cache rule deepseek-4', {}, 'deepseek-4'),
  ])
}

async function compareSweeping(turns: number, rule: string): Promise<string[]> {
  const prepared = read(turns)()
  const terms = termsOf(rule)
  const batchTurns = 16
  const windows = Array.from({ length: turns - batchTurns }, (_, index) => index + 1)
  const replays = () =>
    windows.map((windowTurns) => replayTotal(prepared, { windowTurns, batchTurns }, terms))
  return compare(`Sweeping ${turns} turns, cache rule ${rule}`, [
    { name: `a replay for each of ${windows.length} windows`, run: replays },
    {
      name: 'the sweep of the same windows',
      run: () => sweepPrepared(prepared, terms, { batches: [batchTurns] }),
      atMost: 1,
    },
  ])
}

/** Every fifth request comes after the entries have expired: after it, only younger requests are found. */
function compareExpiry(turns: number, rule: string): Promise<string[]> {
  const prepared = read(turns)()
  const terms = termsOf(rule)
  const { session } = prepared
  let sentAt = 0
  const requests = session.requests.map((request, index) => {
    sentAt += index % 5 === 4 ? 600_000 : 10_000
    return { ...request, sentAt }
  })
  const timed = { ...prepared, session: { ...session, requests } }
  const sweepOf = (one: PreparedReplay) => () => sweepPrepared(one, terms, { batches: [1, 16] })
  return compare(`Sweeping ${turns} turns with times, cache rule ${rule}`, [
    { name: 'nothing expires', run: sweepOf(prepared) },
    { name: 'every fifth request finds nothing', run: sweepOf(timed), atMost: 2 },
  ])
}

async function compareRepeatedIds(turns: number, rule: string): Promise<string[]> {
  const terms = termsOf(rule)
  const batches = [1, 2, 4, 8, 16, 32]
  const caseOf = (name: string, ids: number, atMost = 1) => {
    const prepared = read(turns, 4, ids)()
    return { name, run: () => sweepPrepared(prepared, terms, { batches }), atMost }
  }
  return compare(`Sweeping ${turns} turns whose call ids repeat, cache rule ${rule}`, [
    caseOf('every id once', turns),
    // Such ids are rare: what comes back is compared request by request.
    caseOf('100 ids', 100, 25),
    caseOf('5 ids', 5, 2),
    caseOf('one id', 1, 2),
  ])
}
