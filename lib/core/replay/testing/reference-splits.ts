/** What a replay must give, by comparing the texts of all requests: slow and obvious, and shared with no code under test. */
import { readChatMessage } from '../../conversation/chat-message'
import {
  countedTexts,
  linkByOrder,
  NO_MESSAGE,
  type RawMessage,
} from '../../conversation/link-messages'
import { maskOldToolResults } from '../../mask/mask-old-tool-results'
import type { MaskPolicy } from '../../policy/policy'
import type { ChatMessage } from '../../testing/chat-messages'
import { countQuarters } from '../../testing/policies'
import { countMessageTokens, TOKENS_PER_REQUEST } from '../../tokens/count-conversation'
import type { CacheRule, CacheSplit } from '../prompt-cache'

/** Ends of the requests of a conversation, as message indices. */
export function endsOf(messages: readonly ChatMessage[]): number[] {
  const ends: number[] = []
  for (let end = 1; end <= messages.length; end++) {
    // Assistant messages in a row are one answer.
    const isAnswered =
      messages[end]?.role === 'assistant' && messages[end - 1]?.role !== 'assistant'
    const isOpen = end === messages.length && messages[end - 1]?.role !== 'assistant'
    if (isAnswered || isOpen) ends.push(end)
  }
  return ends
}

/** The messages of each request, masked as the agent would have. */
export function sentMessages(
  messages: readonly ChatMessage[],
  policy: MaskPolicy,
  ends = endsOf(messages),
): (readonly ChatMessage[])[] {
  return ends.map((end) => maskOldToolResults(messages.slice(0, end), policy, countQuarters))
}

export function tokensOf(messages: readonly ChatMessage[]): number {
  let tokens = TOKENS_PER_REQUEST
  for (const message of messages) {
    const raw = readChatMessage(message)
    if (raw !== undefined) tokens += countMessageTokens(countedTexts(raw), countQuarters)
  }
  return tokens
}

/** Blocks as Anthropic would get them: all calls of a message are one, and so are results that follow each other. */
function blocksOf(messages: readonly RawMessage[]): number {
  let blocks = 0
  let isInResults = false
  for (const { role, contents, nonTextParts, reasoning, calls, results } of messages) {
    const isResult = results.length > 0
    const texts = isResult && role === 'tool' ? 0 : contents.length
    const parts = texts + reasoning.length + (isResult ? 0 : nonTextParts)
    const own = parts + (calls.length > 0 ? 1 : 0) + (isResult && !isInResults ? 1 : 0)
    isInResults = isResult && parts === 0
    blocks += isInResults ? own : Math.max(1, own)
  }
  return blocks
}

export function isSame(one: ChatMessage | undefined, other: ChatMessage | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function sharedOf(
  a: readonly ChatMessage[],
  b: readonly ChatMessage[],
): readonly ChatMessage[] {
  let length = 0
  while (length < a.length && isSame(a[length], b[length])) length++
  return b.slice(0, length)
}

/** The messages before the first one of another role. */
function leading(messages: readonly ChatMessage[], roles: readonly unknown[]) {
  const end = messages.findIndex(({ role }) => !roles.includes(role))
  return end === -1 ? messages : messages.slice(0, end)
}

/** Compares every request with all before it, text by text. */
export function referenceSplits(
  sent: readonly (readonly ChatMessage[])[],
  all: readonly ChatMessage[],
  rule: CacheRule,
): CacheSplit[] {
  const units: (readonly ChatMessage[])[] = []
  // A message of role "function" is a result if it answers a call.
  const linked = linkByOrder(all.map((message) => readChatMessage(message) ?? NO_MESSAGE))
  return sent.map((request, at) => {
    const total = tokensOf(request)
    if (rule.kind === 'none') return { read: 0, written: 0, fresh: total }
    let shared = 0
    if (rule.kind === 'units') {
      const { intervalTokens = Number.POSITIVE_INFINITY } = rule
      for (const unit of units) {
        const isWhole = unit.length > 0 && sharedOf(unit, request).length === unit.length
        if (isWhole) shared = Math.max(shared, tokensOf(unit))
      }
      for (const earlier of sent.slice(0, at)) {
        const same = sharedOf(earlier, request)
        const tokens = tokensOf(same)
        if (intervalTokens <= tokens) shared = Math.max(shared, tokens - (tokens % intervalTokens))
        units.push(same)
      }
      const answer = leading(all.slice(request.length), ['assistant'])
      units.push(request, [...request, ...answer])
    }
    for (const [earlierAt, earlier] of sent.slice(0, at).entries()) {
      const same = sharedOf(earlier, request)
      if (rule.kind === 'prefix') shared = Math.max(shared, tokensOf(same))
      if (rule.kind === 'breakpoint') {
        const { lookBack, isHeadMarked } = rule
        const head = leading(request, ['system', 'developer'])
        if (isHeadMarked) shared = Math.max(shared, tokensOf(head))
        if (same.length < earlier.length) continue
        const [blocks, earlierBlocks] = [request, earlier].map(({ length }) =>
          blocksOf(linked.slice(0, length)),
        )
        const blocksBack = (blocks as number) - (earlierBlocks as number)
        if (lookBack?.unit === 'requests' && at - earlierAt > lookBack.count) continue
        if (lookBack?.unit === 'blocks' && blocksBack > lookBack.count - 1) continue
        shared = Math.max(shared, tokensOf(earlier))
      }
    }
    const cached = (tokens: number) => {
      const step = rule.kind === 'units' ? 1 : rule.stepTokens
      const whole = Math.floor(tokens / step) * step
      return whole < rule.minimumTokens ? 0 : whole
    }
    const read = cached(shared)
    const written = cached(total) - read
    return { read, written, fresh: total - read - written }
  })
}

/** The messages as they are read from their text. */
export function parsed(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return JSON.parse(JSON.stringify(messages))
}
