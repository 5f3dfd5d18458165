/** Sessions for replay: generated messages, cache rules and prices. */
import fc from 'fast-check'
import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from '../replay/decide-request'
import type { TieredPrice } from '../replay/price-book'
import { type PriceSheet, type SheetPrice, UNKNOWN_PRICES } from '../replay/price-sheet'
import type { CacheRule, LookBack } from '../replay/prompt-cache'
import type { CostTerms } from '../replay/request-terms'
import { createSessions, type Session } from '../replay/sessions'
import { countConversation } from '../tokens/count-conversation'
import {
  anyContent,
  anyMessages,
  anyMessagesWithoutIds,
  type ChatMessage,
  type JsonValue,
} from './chat-messages'
import { anyPolicy, countQuarters } from './policies'

export interface TestSession {
  readonly session: Session
  readonly sources: ReplaySources
}

/** Reads the one session of a document; tokens are counted by `countQuarters`. */
export function readSession(text: string): TestSession {
  const { conversations } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countQuarters))
  const [session, ...others] = createSessions(conversations, counts)
  const last = conversations.at(-1)
  if (session === undefined || last === undefined || others.length > 0)
    throw new RangeError('Not one session.')
  return { session, sources: sourcesOf(last) }
}

export const testSession = (messages: readonly JsonValue[]) => readSession(JSON.stringify(messages))

/** The session of a log with exactly the requests that end at these indexes. */
export const testLog = (messages: readonly JsonValue[], ends: readonly number[]) =>
  readSession(ends.map((end) => JSON.stringify({ messages: messages.slice(0, end) })).join('\n'))

/** The texts of results, and the tokens of placeholders. */
export function sourcesOf({ resultTexts }: ReadConversation): ReplaySources {
  return {
    textOf: (index) => resultTexts[index]?.join('') ?? '',
    placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
  }
}

const anyPlannedCall = fc.record({
  tool: fc.constantFrom<JsonValue>('read', 'search', null),
  content: anyContent,
})
const plannedTurn = fc.record({
  calls: fc.array(anyPlannedCall, { minLength: 1, maxLength: 3 }),
  /** Number of turns by which each result is late; after the last turn it is missing. */
  delays: fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 3), { minLength: 3, maxLength: 3 }),
  hasUserMessage: fc.boolean(),
})

function plannedMessages(
  idOf: (turn: number, call: number) => string,
): fc.Arbitrary<readonly ChatMessage[]> {
  return fc
    .tuple(fc.array(plannedTurn, { maxLength: 16, size: 'max' }), fc.boolean(), fc.boolean())
    .map(([turns, hasSystem, hasAnswer]) => {
      const messages: ChatMessage[] = []
      if (hasSystem) messages.push({ role: 'system', content: 'be brief '.repeat(9) })
      messages.push({ role: 'user', content: 'begin' })
      const late: ChatMessage[][] = turns.map(() => [])
      for (const [at, { calls, delays, hasUserMessage }] of turns.entries()) {
        const toolCalls = calls.map(({ tool }, index) => ({
          id: idOf(at, index),
          type: 'function',
          function: { name: tool, arguments: `{"page": ${at}}` },
        }))
        messages.push({ role: 'assistant', content: null, tool_calls: toolCalls })
        for (const [index, { content }] of calls.entries()) {
          const result = { role: 'tool', tool_call_id: idOf(at, index), content }
          late[at + (delays[index] ?? 0)]?.push(result)
        }
        messages.push(...(late[at] ?? []))
        if (hasUserMessage) messages.push({ role: 'user', content: 'go on' })
      }
      if (hasAnswer) messages.push({ role: 'assistant', content: 'done' })
      return messages
    })
}

/** Messages with a unique id per call; some results are late or missing, and the last message has any role. */
export const anyMessagesWithUniqueIds = plannedMessages((turn, call) => `call_${turn}_${call}`)

/** The same with ids that repeat, so results can belong to another call: every few turns, in each turn, or always. */
export const anyReusingMessages = fc.oneof(
  plannedMessages((turn, call) => `call_${turn % 5}_${call}`),
  plannedMessages((turn) => `call_${turn % 2}`),
  plannedMessages((turn, call) => `call_${turn % 3 === 0 ? turn : call}`),
  plannedMessages(() => 'call'),
)

/** All of these, messages without ids, and messages with orphans and unknown roles. */
export const anySessionMessages = fc.oneof(
  anyMessagesWithUniqueIds,
  anyReusingMessages,
  anyMessages,
  anyMessagesWithoutIds,
)

/** Messages and the ends of the logged requests; no request ends with an answer, and some are not logged. */
export const anyLog: fc.Arbitrary<readonly [readonly ChatMessage[], readonly number[]]> = fc
  .oneof(anyMessagesWithUniqueIds, anyReusingMessages)
  .chain((messages) => {
    const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [] : [index + 1]))
    return fc.tuple(
      fc.constant(messages),
      fc.subarray(ends, { minLength: Math.min(2, ends.length) }),
    )
  })
  // One request by itself is a conversation, whose earlier requests are derived.
  .filter(([, ends]) => ends.length > 1)

const anyLookBack: fc.Arbitrary<LookBack | undefined> = fc.option(
  fc.record({ unit: fc.constantFrom('blocks', 'requests'), count: fc.integer({ min: 1, max: 9 }) }),
  { nil: undefined },
)
const SIZES = {
  minimumTokens: fc.constantFrom(0, 16, 64, 300),
  stepTokens: fc.constantFrom(1, 16),
}
const anyInterval = fc.constantFrom(undefined, 1, 32, 100)

export const anyRule: fc.Arbitrary<CacheRule> = fc.oneof(
  fc.constant<CacheRule>({ kind: 'none' }),
  fc.record({ kind: fc.constant('prefix' as const), ...SIZES }),
  fc.record({
    ...{ kind: fc.constant('breakpoint' as const), ...SIZES },
    ...{ lookBack: anyLookBack, isHeadMarked: fc.boolean() },
  }),
  fc.record({
    ...{ kind: fc.constant('units' as const), intervalTokens: anyInterval },
    minimumTokens: SIZES.minimumTokens,
  }),
)

const anyTieredPrice: fc.Arbitrary<TieredPrice> = fc
  .tuple(fc.constantFrom(0, 0.3, 1.25, 3), fc.constantFrom([], [200], [100, 500]))
  .map(([base, starts]) => ({
    base,
    tiers: starts.map((above, index) => ({ above, price: base * (index + 2) })),
  }))
const anySheetPrice: fc.Arbitrary<SheetPrice | undefined> = fc.oneof(
  { weight: 9, arbitrary: anyTieredPrice.map((price) => ({ price, origin: 'user' as const })) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

export const anyPrices: fc.Arbitrary<PriceSheet> = fc.record({
  input: anySheetPrice,
  cachedRead: anySheetPrice,
  cacheWrite: anySheetPrice,
  output: anySheetPrice,
})

/** Policies whose windows and batches fit the length of the sessions. */
export const anySessionPolicy: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyPolicy, fc.constantFrom(0, 0, 60, 200), fc.constantFrom(1, 1, 2, 4, 8, 'auto' as const))
  .map(([policy, triggerTokens, batchTurns]) => ({ ...policy, triggerTokens, batchTurns }))

/** What a replay takes: a policy, a rule and prices, and before them the messages. */
export const ANY_TERMS = [anySessionPolicy, anyRule, anyPrices] as const
export const ANY_REPLAY = [anySessionMessages, ...ANY_TERMS] as const

/** Prices without tiers, in USD a million tokens. */
export function flatPrices(...usd: [input: number, read: number, write: number, output: number]) {
  const [input, cachedRead, cacheWrite, output] = usd.map(flatPrice)
  return { input, cachedRead, cacheWrite, output } satisfies PriceSheet
}

export const flatPrice = (base: number) => ({ price: { base, tiers: [] }, origin: 'user' }) as const

export const UNCACHED: CostTerms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } }

/** A rule that reads all that two requests share. */
export const prefixRule = (minimumTokens = 0, stepTokens = 1) =>
  ({ kind: 'prefix', minimumTokens, stepTokens }) as const

const BREAKPOINT = { kind: 'breakpoint', stepTokens: 1, isHeadMarked: false } as const

/** A rule that reads a whole earlier request, however long ago it was. */
export const breakpointRule = (minimumTokens = 0) =>
  ({ ...BREAKPOINT, minimumTokens, lookBack: undefined }) as const
