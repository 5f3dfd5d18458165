import { DEFAULT_POLICY, type MaskPolicy } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import { type PreparedReplay, prepareReplay } from '../../lib/core/replay/prepare-replay'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { type CostTerms, replayPrepared, replayTotal } from '../../lib/core/replay/replay'
import { createSession } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { type Block, blockOf, type Case, compare, type Row, timeOf } from './compare'
import { makeConversation } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool: 3 }
const RULES = ['openai-5', 'anthropic-1024', 'deepseek-4']

export async function measureReplay(): Promise<Block[]> {
  const blocks: Block[] = [await measureGrowth(), ...(await comparePolicies(16_000))]
  for (const rule of RULES) blocks.push(await compareSweeping(150, rule))
  blocks.push(await compareExpiry(150, 'anthropic-1024'))
  for (const rule of RULES) blocks.push(await compareRepeatedIds(200, rule))
  return blocks
}

/** Lengths instead of tokens: only the replay is measured. */
const countQuarters = (text: string): number => Math.ceil(text.length / 4)

/** Reads a generated session; the function prepares its replay. */
function read(shape: Parameters<typeof makeConversation>[0]) {
  const conversation = makeConversation(shape)
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
    const prepared = read({ turns, lines: 2 })()
    const replayAll = () => replayPrepared(prepared, POLICY, termsOf('anthropic-1024'))
    for (let time = 0; time < 3; time++) replayAll()
    const samples: number[] = []
    for (let time = 0; time < 15; time++) samples.push(await timeOf(replayAll, 1))
    // The least, since a collection of garbage in one sample is no growth.
    const milliseconds = Math.min(...samples)
    const before = rows.at(-1)?.milliseconds
    rows.push({
      name: `${turns.toLocaleString('en')} turns`,
      milliseconds,
      ratio: before === undefined ? 1 : milliseconds / before,
      atMost: undefined,
    })
  }
  const [first, last] = [rows[0], rows.at(-1)] as [Row, Row]
  const { milliseconds } = last
  // A single step may meet a collection of garbage in all its samples; quadratic work would be 4 in the mean.
  const ratio = (milliseconds / first.milliseconds) ** (1 / (rows.length - 1))
  rows.push({ name: 'the mean of all doublings', milliseconds, ratio, atMost: 3 })
  return blockOf('Replaying a session, each against half the turns', rows)
}

/** How many times as many turns the long sessions have. */
const GROWTH = 16
/** Linear work is 16, and more where memory no longer fits the processor's cache or garbage is collected; quadratic is 256. */
const MOST_GROWTH = 128

/** Sessions of two lengths, replayed by every kind of policy, ids, requests and cache rule. */
async function comparePolicies(turns: number): Promise<Block[]> {
  const first: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
  const casesOf = (count: number): { readonly replays: Case[]; readonly preparations: Case[] } => {
    const prepareOnce = read({ turns: count, lines: 2 })
    const replayOf = (
      name: string,
      policy: MaskPolicy,
      rule: string,
      prepared = prepareOnce(policy),
    ) => ({
      name,
      run: () => replayPrepared(prepared, policy, termsOf(rule)),
      atMost: 3,
    })
    // With as many ids, twice the turns would change four times as many decisions.
    const repeated = [count / 2, Math.ceil(count / 160), 2, 1].map((ids) => {
      const prepare = read({ turns: count, lines: 2, ids })
      return { name: ids === 1 ? 'one id' : `${ids.toLocaleString('en')} ids`, prepare }
    })
    const logged = prepareOnce().session.requests.filter((_, request) => request % 2 === 0)
    return {
      replays: [
        replayOf('Schema 1', first, 'anthropic-1024'),
        replayOf('batches of 16', { ...first, batchTurns: 16 }, 'anthropic-1024'),
        replayOf('the last 3 of each tool', { ...first, keepLastKPerTool: 3 }, 'anthropic-1024'),
        replayOf('without `keep_errors`', { ...first, keepErrors: false }, 'anthropic-1024'),
        replayOf('a trigger', { ...first, triggerTokens: count * 50 }, 'anthropic-1024'),
        replayOf(
          'a log of every second request',
          first,
          'anthropic-1024',
          prepareOnce(first, logged),
        ),
        replayOf('cache rule openai-5', first, 'openai-5'),
        replayOf('cache rule deepseek-4', first, 'deepseek-4'),
        ...repeated.flatMap(({ name, prepare }) =>
          RULES.map((rule) => replayOf(`${name}, ${rule}`, first, rule, prepare(first))),
        ),
      ],
      preparations: [
        { name: 'every id once', run: prepareOnce },
        ...repeated.map(({ name, prepare }) => ({ name, run: prepare, atMost: 5 })),
      ],
    }
  }
  const [short, long] = [casesOf(turns / GROWTH), casesOf(turns)]
  const replayed = await compare(`Replaying ${turns} turns, by policy and ids`, long.replays)
  const prepared = await compare(`Preparing ${turns} turns for all windows`, long.preparations)
  // Each beside its short one, since the machine can be slower a minute later.
  const pairs = long.replays.flatMap((one, index) => [
    { ...(short.replays[index] as Case), name: `${one.name}, a sixteenth`, isBase: true },
    { ...one, atMost: MOST_GROWTH },
  ])
  const both = await compare(`Replaying ${turns} turns, each against a sixteenth of them`, pairs)
  const growth = { ...both, rows: both.rows.filter((_, index) => index % 2 === 1) }
  return [replayed, prepared, growth]
}

async function compareSweeping(turns: number, rule: string): Promise<Block> {
  const prepared = read({ turns })()
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
  const prepared = read({ turns })()
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
    const prepared = read({ turns, lines: 4, ids })()
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
