/** The comparisons of the replay. */
import { prepareSession } from '../../lib/core/fleet/measure-sessions'
import { readDocument } from '../../lib/core/formats/read-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import type { PreparedReplay } from '../../lib/core/replay/prepare-replay'
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
    prepareSession({ ...session, requests }, conversation.resultTexts, policy, countQuarters)
}

function termsOf(id: string): CostTerms {
  const family = cacheFamilyById(id) ?? NO_CACHE
  return { prices: priceSheet(undefined, family, { input: 1, output: 4 }), rule: family.rule }
}

/** Quadratic work would be 4 times for each doubling. */
function compareLengths() {
  const terms = termsOf('anthropic-1024')
  const [short, long] = [read(1_000, 2)(), read(32_000, 2)()]
  return compare('Replaying a short session and a long one', [
    ['1,000 turns', () => replayPrepared(short, POLICY, terms)],
    ['32,000 turns', () => replayPrepared(long, POLICY, terms), 3 ** 5],
  ])
}

/** A long session, replayed by every kind of policy, requests and cache rule. */
function comparePolicies() {
  const turns = 16_000
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
    return [name, () => replayPrepared(prepared, policy, termsOf(rule)), 3] as const
  }
  const logged = requests.filter((_, request) => request % 2 === 0)
  return compare('Replaying 16,000 turns, by policy', [
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

function compareSweeping(rule: string) {
  const prepared = read(150)()
  const terms = termsOf(rule)
  const batchTurns = 16
  const windows = Array.from({ length: 150 - batchTurns }, (_, index) => index + 1)
  const replays = () =>
    windows.map((windowTurns) => replayTotal(prepared, { windowTurns, batchTurns }, terms))
  const sweep = () => sweepPrepared(prepared, terms, { batches: [batchTurns] })
  return compare(`Sweeping 150 turns, cache rule ${rule}`, [
    [`a replay for each of ${windows.length} windows`, replays],
    ['the sweep of the same windows', sweep, 1],
  ])
}

/** Every fifth request comes after the entries have expired: after it, only younger requests are found. */
function compareExpiry() {
  const prepared = read(150)()
  const { session } = prepared
  let sentAt = 0
  const requests = session.requests.map((request, index) => {
    sentAt += index % 5 === 4 ? 600_000 : 10_000
    return { ...request, sentAt }
  })
  const timed = { ...prepared, session: { ...session, requests } }
  const terms = termsOf('anthropic-1024')
  const sweepOf = (one: PreparedReplay) => () => sweepPrepared(one, terms, { batches: [1, 16] })
  return compare('Sweeping 150 turns with times, cache rule anthropic-1024', [
    ['nothing expires', sweepOf(prepared)],
    ['every fifth request finds nothing', sweepOf(timed), 2],
  ])
}

function compareRepeatedIds(rule: string) {
  const sweepOf = (ids: number) => {
    const prepared = read(200, 4, ids)()
    return () => sweepPrepared(prepared, termsOf(rule), { batches: [1, 2, 4, 8, 16, 32] })
  }
  return compare(`Sweeping 200 turns whose call ids repeat, cache rule ${rule}`, [
    ['every id once', sweepOf(200)],
    // Such ids are rare: what comes back is compared request by request.
    ['100 ids', sweepOf(100), 25],
    ['5 ids', sweepOf(5), 2],
    ['one id', sweepOf(1), 2],
  ])
}

export const REPLAY: readonly (() => Promise<string[]>)[] = [
  compareLengths,
  comparePolicies,
  ...RULES.map((rule) => () => compareSweeping(rule)),
  compareExpiry,
  ...RULES.map((rule) => () => compareRepeatedIds(rule)),
]
