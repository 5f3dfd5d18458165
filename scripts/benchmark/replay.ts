import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import { type PreparedReplay, prepareReplay } from '../../lib/core/replay/prepare-replay'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { type CostTerms, replayPrepared, replayTotal } from '../../lib/core/replay/replay'
import { createSession } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { type Block, blockOf, compare, type Row, timeOf } from './compare'
import { makeConversation } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true, keepLastKPerTool: 3 }
const RULES = ['openai-5', 'anthropic-1024']

export async function measureReplay(): Promise<Block[]> {
  const blocks: Block[] = [await measureGrowth()]
  for (const rule of RULES) blocks.push(await compareSweeping(150, rule))
  blocks.push(await compareExpiry(150, 'anthropic-1024'))
  for (const rule of RULES) blocks.push(await compareRepeatedIds(200, rule))
  return blocks
}

/** Lengths instead of tokens: only the replay is measured. */
const countQuarters = (text: string): number => Math.ceil(text.length / 4)

function prepare(shape: Parameters<typeof makeConversation>[0]): PreparedReplay {
  const conversation = makeConversation(shape)
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  return prepareReplay(session, POLICY, {
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
    const prepared = prepare({ turns, lines: 2 })
    const replayAll = () => replayPrepared(prepared, POLICY, termsOf('anthropic-1024'))
    for (let time = 0; time < 3; time++) replayAll()
    const samples: number[] = []
    for (let time = 0; time < 5; time++) samples.push(await timeOf(replayAll, 1))
    const milliseconds = samples.sort((a, b) => a - b)[2] as number
    const before = rows.at(-1)?.milliseconds
    rows.push({
      name: `${turns.toLocaleString('en')} turns`,
      milliseconds,
      ratio: before === undefined ? 1 : milliseconds / before,
      atMost: before === undefined ? undefined : 4,
    })
  }
  return blockOf('Replaying a session, each against half the turns', rows)
}

async function compareSweeping(turns: number, rule: string): Promise<Block> {
  const prepared = prepare({ turns })
  const terms = termsOf(rule)
  const batchTurns = 16
  const windows = Array.from({ length: turns - batchTurns }, (_, index) => index + 1)
  const replays = () =>
    windows.map((windowTurns) => replayTotal(prepared, { windowTurns, batchTurns }, terms))
  return compare(`Sweeping ${turns} turns, cache rule ${rule}`, [
    { name: `a replay for each of ${windows.length} windows`, run: replays },
    {
      name: 'the sweep of the same windows',
      run: () => sweepPrepared(prepared, terms, [batchTurns]),
      atMost: 0.3,
    },
  ])
}

/** Every fifth request comes after the entries have expired: after it, only younger requests are found. */
function compareExpiry(turns: number, rule: string): Promise<Block> {
  const prepared = prepare({ turns })
  const terms = termsOf(rule)
  const { session } = prepared
  let sentAt = 0
  const requests = session.requests.map((request, index) => {
    sentAt += index % 5 === 4 ? 600_000 : 10_000
    return { ...request, sentAt }
  })
  const timed = { ...prepared, session: { ...session, requests } }
  return compare(`Sweeping ${turns} turns with times, cache rule ${rule}`, [
    { name: 'nothing expires', run: () => sweepPrepared(prepared, terms, [1, 16]) },
    {
      name: 'every fifth request finds nothing',
      run: () => sweepPrepared(timed, terms, [1, 16]),
      atMost: 2,
    },
  ])
}

async function compareRepeatedIds(turns: number, rule: string): Promise<Block> {
  const terms = termsOf(rule)
  const batches = [1, 2, 4, 8, 16, 32]
  const caseOf = (name: string, ids: number, atMost?: number) => {
    const prepared = prepare({ turns, lines: 4, ids })
    const run = () => sweepPrepared(prepared, terms, batches)
    return { name, run, ...(atMost === undefined ? {} : { atMost }) }
  }
  return compare(`Sweeping ${turns} turns whose call ids repeat, cache rule ${rule}`, [
    caseOf('every id once', turns),
    caseOf('100 ids', 100, 15),
    caseOf('5 ids', 5, 15),
    caseOf('one id', 1, 15),
  ])
}
