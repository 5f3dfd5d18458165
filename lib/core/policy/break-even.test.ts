import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadConversation, Usage } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import { decideConversation } from '../mask/mask-document'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { anySessionMessages } from '../testing/test-sessions'
import { forAll, testSize } from '../testing/test-size'
import { countCodePoints } from '../text/span'
import { type CacheTerms, cacheTermsOf, type PolicyOfModel, type WindowStep } from './break-even'
import { type DecideSources, decide, savedCharsOf } from './decide'
import { DEFAULT_POLICY } from './policy'
import { copyOf, windowSteps } from './window-steps'

const RUNS = testSize(600, 10_000)

const anyCache: fc.Arbitrary<CacheTerms> = fc.record({
  readRatio: fc.constantFrom(0.1, 0.5, 1),
  writeRatio: fc.constantFrom(1, 1.25, 2),
  keepsOnlyHead: fc.boolean(),
  findsAllBeforeChange: fc.boolean(),
  lifetimeSeconds: fc.constantFrom(300, 3600),
})

const anyAutoPolicy = fc.tuple(anyActivePolicy, anyCache).map(
  ([policy, cache]): PolicyOfModel => ({
    ...policy,
    triggerTokens: 0,
    batchTurns: 'auto',
    cache,
  }),
)

/** Sessions of which some messages state when they were written, with long pauses, and some hold signed thinking. */
const anySession = fc
  .tuple(
    anySessionMessages,
    fc.infiniteStream(fc.tuple(fc.nat(9), fc.nat(19), fc.integer({ min: 1, max: 9 }))),
  )
  .map(([messages, stream]) => {
    let time = 1_700_000_000
    const marks = messages.map(() => stream.next().value as [number, number, number])
    const written = messages.map((message, at) => {
      const [pause, , times] = marks[at] as (typeof marks)[number]
      time += pause === 9 ? 4_000 : pause * 30
      const { content } = message as { readonly content?: unknown }
      const repeated = typeof content === 'string' ? content.repeat(times) : content
      const timed = pause % 2 === 0 ? { timestamp: time } : {}
      return {
        ...(message as object),
        ...('content' in message && { content: repeated }),
        ...timed,
      }
    })
    const [conversation] = readDocument(JSON.stringify(written)).conversations
    const [, input = 0, read = 0] = marks[0] ?? []
    const signed = conversation && withSigned(conversation, (at) => marks[at]?.[1] === 0)
    return signed && withUsage(signed, 40 * input, read % 3 === 0 ? undefined : (read % 4) * 9)
  })
  .filter((one) => one !== undefined)

/** The first answer states so many tokens of input, and perhaps those that were read; the others were written. */
function withUsage(one: ReadConversation, inputTokens: number, cacheReadTokens?: number) {
  const first = one.messages.findIndex(({ isAssistant }) => isAssistant)
  const cacheWriteTokens = Math.max(0, inputTokens - (cacheReadTokens ?? 0))
  const usage = { inputTokens, cacheReadTokens, cacheWriteTokens } as Usage
  const messages = one.messages.map((message, at) =>
    at === first ? { ...message, usage } : message,
  )
  return { ...one, messages }
}

function withSigned(one: ReadConversation, isSigned: (at: number) => boolean): ReadConversation {
  const signed = one.messages.flatMap(({ isAssistant }, message) =>
    isAssistant && isSigned(message) ? [{ message, turns: 0 }] : [],
  )
  return {
    ...one,
    results: one.results.map((result) => {
      const first = signed.find(({ message }) => message > result.message)
      return first === undefined ? result : { ...result, signed: first }
    }),
  }
}

function sourcesOf({ resultTexts }: ReadConversation): DecideSources {
  const textOf = (index: number) => resultTexts[index]?.join('') ?? ''
  const tokensOf = (index: number) => countQuarters(textOf(index))
  return { textOf, tokensOf, placeholderTokensOf: (_, placeholder) => countQuarters(placeholder) }
}

const savedOf = (conversation: ReadConversation, policy: PolicyOfModel) =>
  savedCharsOf(policy, sourcesOf(conversation))

/** The same from whole requests: each is decided anew, before and after a move, and its messages are measured. */
function slowSteps(conversation: ReadConversation, policy: PolicyOfModel): WindowStep[] {
  const { messages } = conversation
  const { readRatio, writeRatio, lifetimeSeconds, ...cache } = cacheTermsOf(policy)
  const ends = messages.flatMap(({ isAssistant }, at) =>
    isAssistant && messages[at - 1]?.isAssistant === false ? [at] : [],
  )
  if (messages.at(-1)?.isAssistant === false) ends.push(messages.length)
  const head = Math.max(
    0,
    messages.findIndex(({ role }) => role !== 'system' && role !== 'developer'),
  )
  const first = messages.findIndex(({ isAssistant }) => isAssistant)
  const usage = messages[first]?.usage
  const timeBefore = (end: number) =>
    Math.max(...messages.slice(0, end).map(({ writtenAt = Number.NEGATIVE_INFINITY }) => writtenAt))
  let [kept, costs] = [0, [] as number[]]
  /** By request: the results that it sent masked. */
  const maskedIn: Set<number>[] = []
  return ends.map((end, request) => {
    const sent = request === 0 ? 0 : (ends[request - 1] as number)
    const turns = messages.slice(0, end).filter(({ turn }) => turn !== undefined).length
    const edge = Math.max(0, turns - policy.windowTurns)
    const savedUpTo = (first: number, until: number, known: readonly Set<number>[]) => {
      const results = conversation.results
        .filter(({ message }) => message < until)
        .map((result) => copyOf(result, result.nearest ?? result))
      if (first === 0) return new Map<number, number>()
      const window = { windowTurns: turns - first, batchTurns: 1, keepLastKPerTool: 0 }
      const rest = { ...policy, ...window, beforeSignedThinking: 'mask' as const }
      const decisions = decide(
        { results, turnCount: turns, messages },
        rest,
        sourcesOf(conversation),
      )
      return new Map(
        decisions.flatMap(({ placeholder }, at) => {
          const { toolName, signed, chars } = results[at] as (typeof results)[number]
          const later = results.slice(at + 1).filter((other) => other.toolName === toolName).length
          const isLast = toolName !== undefined && later < policy.keepLastKPerTool
          const isBound = policy.beforeSignedThinking === 'keep' && signed && signed.message < end
          const answered = ends.findLastIndex((one) => one <= (signed?.message ?? 0))
          const isKept = isBound && known[answered]?.has(at) !== true
          if (placeholder === undefined || isLast || isKept) return []
          return [[at, chars - countCodePoints(placeholder)] as const]
        }),
      )
    }
    const [before, after] = [savedUpTo(kept, sent, maskedIn), savedUpTo(edge, sent, maskedIn)]
    const fresh = [...after].filter(([at]) => !before.has(at))
    const sum = (saved: Iterable<readonly [number, number]>) =>
      [...saved].reduce((total, [, chars]) => total + chars, 0)
    const sizeOf = (from: number, until: number) =>
      messages.slice(from, until).reduce((total, { chars }) => total + chars, 0)
    const messageOf = (at: number) => conversation.results[at]?.message as number
    const firstFresh = Math.min(sent, ...fresh.map(([at]) => messageOf(at)))
    const isStated = usage !== undefined && end > first
    const unseen = isStated ? Math.max(0, 4 * (usage.inputTokens ?? 0) - sizeOf(0, first)) : 0
    const headSize = unseen + sizeOf(0, head)
    const whole = unseen + sizeOf(0, sent)
    const { cacheReadTokens: read, cacheWriteTokens: wrote = 0 } = usage ?? {}
    const foundAtFirst = Math.round(4 * (read ? read : 0.66 * wrote))
    const isLimited = isStated && read !== undefined && !cache.findsAllBeforeChange
    const upToChange = unseen + sizeOf(0, firstFresh) - sum(before)
    const found = Math.min(
      cache.keepsOnlyHead ? headSize : upToChange,
      ...(isLimited ? [headSize, foundAtFirst] : []),
    )
    const behind = whole - sum(before) - sum(fresh) - found
    const isCold =
      sent > 0 &&
      timeBefore(end) - timeBefore(sent) > lifetimeSeconds * 1000 &&
      timeBefore(sent) > 0
    const price = isCold ? 0 : (writeRatio - readRatio) * Math.max(0, behind)
    const hasBound = policy.beforeSignedThinking === 'keep' && boundIn(conversation, sent, end)
    if (hasBound) costs = []
    const owed = costs.reduce((total, chars) => total + chars, 0)
    const isMove = sum(fresh) > 0 && readRatio * owed >= price
    if (isMove) [kept, costs] = [edge, []]
    else costs.push(Math.max(0, sum(fresh)))
    maskedIn.push(new Set(savedUpTo(kept, end, maskedIn).keys()))
    return {
      ...{ end, firstKept: kept, isMove, staleTokens: Math.max(0, sum(fresh)) / 4 },
      ...{ debt: (readRatio * owed) / 4, priceOfMoving: price / 4 },
    }
  })
}

function boundIn({ results }: ReadConversation, start: number, end: number): boolean {
  return results.some(({ signed }) => signed && signed.message >= start && signed.message < end)
}

test('moves as a reference that measures whole requests', () => {
  const moves = { prefix: 0, head: 0 }
  forAll(RUNS, [anySession, anyAutoPolicy], (conversation, policy) => {
    const steps = windowSteps(conversation, policy, savedOf(conversation, policy))
    expect(steps).toEqual(slowSteps(conversation, policy))
    const kind = policy.cache?.keepsOnlyHead === true ? 'head' : 'prefix'
    moves[kind] += steps.filter(({ isMove }) => isMove).length
  })
  expect(Math.min(moves.prefix, moves.head)).toBeGreaterThan(RUNS / 500)
}, 600_000)

test('a longer session never changes an earlier move', () => {
  forAll(RUNS / 5, [anySession, anyAutoPolicy], (conversation, policy) => {
    const saved = savedOf(conversation, policy)
    const whole = windowSteps(conversation, policy, saved)
    for (const end of conversation.messages.keys()) {
      const messages = conversation.messages.slice(0, end)
      const results = conversation.results.filter(({ message }) => message < end)
      const steps = windowSteps({ results, turnCount: 0, messages }, policy, saved)
      const isRequest = whole.some((step) => step.end === end)
      const fixed = isRequest ? steps : steps.slice(0, -1)
      expect(fixed).toEqual(whole.slice(0, fixed.length))
    }
  })
}, 600_000)

test('without usage, no move depends on how much stands before the messages', () => {
  const anyHead = fc.nat(9_000)
  forAll(RUNS / 5, [anySessionMessages, anyAutoPolicy, anyHead], (messages, policy, chars) => {
    const keptWith = (...head: readonly object[]) => {
      const [one] = readDocument(JSON.stringify([...head, ...messages])).conversations
      return one && windowSteps(one, policy, savedOf(one, policy)).map(({ firstKept }) => firstKept)
    }
    const headOf = (length: number) => ({ role: 'system', content: 'x'.repeat(length) })
    expect(keptWith(headOf(chars))).toEqual(keptWith(headOf(1)))
  })
})

test('moves once what staying has cost reaches what moving costs', () => {
  const turn = (at: number) => [
    { role: 'assistant', tool_calls: [{ id: `${at}`, function: { name: 'run', arguments: '' } }] },
    { role: 'tool', tool_call_id: `${at}`, content: 'x'.repeat(1_000) },
  ]
  const messages = [{ role: 'user', content: 'go' }, ...[...Array(12).keys()].flatMap(turn)]
  const [conversation] = readDocument(JSON.stringify(messages)).conversations as [ReadConversation]
  const policy: PolicyOfModel = {
    ...{ ...DEFAULT_POLICY, enabled: true, windowTurns: 2, batchTurns: 'auto' },
    placeholderTemplate: 'x'.repeat(100),
  }
  const steps: (WindowStep | undefined)[] = []
  decideConversation(conversation, policy, undefined, (step) => steps.push(step))
  const all = windowSteps(conversation, policy, savedOf(conversation, policy))
  expect(steps).toEqual([all.at(-1)])
  // One more result is stale in each request from the fourth on: 90, 180, 270 characters of debt each.
  expect(all.map(({ debt }) => Math.round(debt * 4)).slice(3, 9)).toEqual([
    0, 90, 270, 540, 900, 1350,
  ])
  expect(all.filter(({ isMove }) => isMove).map(({ end }) => end)).toEqual([21])
})
