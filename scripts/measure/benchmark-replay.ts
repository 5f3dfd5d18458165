import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import { type PreparedReplay, prepareReplay } from '../../lib/core/replay/prepare-replay'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { replayPrepared, replayTotal } from '../../lib/core/replay/replay'
import type { CostTerms } from '../../lib/core/replay/request-terms'
import { createSession } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { type Block, compare, printBlock, type Row, timeOf } from './compare'
import { linesOf, makeConversation } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool: 3 }
const RULES = ['openai-5', 'anthropic-1024', 'deepseek-4']

export async function measureReplay(): Promise<Block[]> {
  const blocks: Block[] = [await measureGrowth(), await comparePolicies(16_000)]
  for (const rule of RULES) blocks.push(await compareSweeping(150, rule))
  blocks.push(await compareExpiry(150, 'anthropic-1024'))
  for (const rule of RULES) blocks.push(await compareRepeatedIds(200, rule))
  return blocks
}

/** Lengths instead of tokens: only the replay is measured. */
const countQuarters = (text: string): number => Math.ceil(text.length / 4)

/** Reads a generated session; the function prepares its replay. */
function read(turns: number, lines = 10, ids = turns) {
  const conversation = makeConversation({ turns, ids, resultOf: linesOf(lines) })
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  return (policy = POLICY, requests = session.requests): PreparedReplay =>
    prepareReplay({ ...session, requests }, policy, {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
    })
}

function termsOf(id: string): CostTerms {
  const family = cacheFamilyById(id) ?? NO_CACHE
  return { prices: priceSheet(undefined, family, { input: 1, output: 4 }), rule: family.rule }
}

/** One session after the other, so that only one is in memory. Each ratio is to half the turns. */
async function measureGrowth(): Promise<Block> {
  const rows: Row[] = []
  for (let turns = 1_000; turns <= 32_000; turns *= 2) {
    const prepared = read(turns, 2)()
    const replayAll = () => replayPrepared(prepared, POLICY, termsOf('anthropic-1024'))
    for (let time = 0; time < 3; time++) replayAll()
    const samples: number[] = []
    for (let time = 0; time < 15; time++) samples.push(await timeOf(replayAll))
    // The least, since a collection of garbage in one sample is no growth.
    const milliseconds = Math.min(...samples)
    const ratio = milliseconds / (rows.at(-1)?.milliseconds ?? milliseconds)
    rows.push({ name: `${turns.toLocaleString('en')} turns`, milliseconds, ratio })
  }
  const [first, last] = [rows[0], rows.at(-1)] as [Row, Row]
  const { milliseconds } = last
  // A single step may meet a collection of garbage in all its samples; quadratic work would be 4 in the mean.
  const ratio = (milliseconds / first.milliseconds) ** (1 / (rows.length - 1))
  rows.push({ name: 'the mean of all doublings', milliseconds, ratio, atMost: 3 })
  return printBlock('Replaying a session, each against half the turns', rows)
}

/** A long session, replayed by every kind of policy, requests and cache rule. */
function comparePolicies(turns: number): Promise<Block> {
  const prepare = read(turns, 2)
  const first: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
  const replayOf = (name: string, changed: Partial<MaskPolicy>, rule = 'anthropic-1024') => {
    const policy = { ...first, ...changed }
    const prepared = prepare(policy)
    return { name, run: () => replayPrepared(prepared, policy, termsOf(rule)), atMost: 3 }
  }
  const { requests } = prepare().session
  const logged = prepare(
    first,
    requests.filter((_, request) => request % 2 === 0),
  )
  return compare(`Replaying ${turns.toLocaleString('en')} turns, by policy`, [
    replayOf('Schema 1', {}),
    replayOf('batches of 16', { batchTurns: 16 }),
    replayOf('the last 3 of each tool', { keepLastKPerTool: 3 }),
    replayOf('without `keep_errors`', { keepErrors: false }),
    replayOf('a trigger', { triggerTokens: turns * 50 }),
    {
      name: 'a log of every second request',
      run: () => replayPrepared(logged, first, termsOf('anthropic-1024')),
      atMost: 3,
    },
    replayOf('cache rule openai-5', {}, 'openai-5'),
    replayOf('cache rule deepseek-4', {}, 'deepseek-4'),
  ])
}

async function compareSweeping(turns: number, rule: string): Promise<Block> {
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
      atMost: 0.6,
    },
  ])
}

/** Every fifth request comes after the entries have expired: after it, only younger requests are found. */
function compareExpiry(turns: number, rule: string): Promise<Block> {
  const prepared = read(turns)()
  const terms = termsOf(rule)
  const { session } = prepared
  let sentAt = 0
  const requests = session.requests.map((request, index) => {
    sentAt += index % 5 === 4 ? 600_000 : 10_000
    return { ...request, sentAt }
  })
  const timed = { ...prepared, session: { ...session, requests } }
  return compare(`Sweeping ${turns} turns with times, cache rule ${rule}`, [
    { name: 'nothing expires', run: () => sweepPrepared(prepared, terms, { batches: [1, 16] }) },
    {
      name: 'every fifth request finds nothing',
      run: () => sweepPrepared(timed, terms, { batches: [1, 16] }),
      atMost: 2,
    },
  ])
}

async function compareRepeatedIds(turns: number, rule: string): Promise<Block> {
  const terms = termsOf(rule)
  const batches = [1, 2, 4, 8, 16, 32]
  const caseOf = (name: string, ids: number, atMost?: number) => {
    const prepared = read(turns, 4, ids)()
    const run = () => sweepPrepared(prepared, terms, { batches })
    return { name, run, ...(atMost === undefined ? {} : { atMost }) }
  }
  return compare(`Sweeping ${turns} turns whose call ids repeat, cache rule ${rule}`, [
    caseOf('every id once', turns),
    caseOf('100 ids', 100, 8),
    caseOf('5 ids', 5, 2),
    caseOf('one id', 1, 2),
  ])
}
