/** Counts requests while they are on their way, a few messages at a time, so that other requests do not wait. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TokenCounter } from '../../core/mask/mask-old-tool-results'
import { type BeforeAfter, measureRequest } from '../../core/mask/measure-request'
import { countConversationInSteps } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import type { DecidedRequest } from '../mask-request'

/** About a millisecond's work. */
const STEP_CHARS = 8_000
const SHORT_TEXT = 100
const MOST_KNOWN = 500_000
/** What is counted keeps its request in memory. */
const MOST_AT_ONCE = 8

export interface RequestCounter {
  readonly countTokens: TokenCounter
  readonly count: (request: DecidedRequest) => Promise<BeforeAfter>
  /** True while as many requests are counted as there should be; `next` resolves when there is one less. */
  readonly isBusy: () => boolean
  readonly next: () => Promise<unknown>
}

/** Its tables are the same for every proxy of a process. */
let loading: ReturnType<typeof loadEncoding> | undefined

/**
 * Creates a counter that knows the texts it has counted by their hashes: an agent sends its history with every request, and
 * a proxy for many agents cannot keep the texts.
 */
export async function createRequestCounter(): Promise<RequestCounter> {
  loading ??= loadEncoding('o200k_base')
  const encoding = await loading
  const known = new Map<string, number>()
  const countTokens = (text: string): number => {
    if (text.length < SHORT_TEXT) return encoding.countTokens(text)
    const key = createHash('sha1').update(text).digest('base64')
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const tokens = encoding.countTokens(text)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, tokens)
    return tokens
  }
  const counting = new Set<Promise<unknown>>()
  const count: RequestCounter['count'] = async ({ conversation, decisions }) => {
    const steps = countConversationInSteps(conversation, countTokens)
    let chars = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) {
      chars += step.value
      if (chars < STEP_CHARS) continue
      chars = 0
      await nextTurn()
    }
    const placeholders = decisions.map(({ placeholder }) =>
      placeholder === undefined ? 0 : countTokens(placeholder),
    )
    const { tokens } = measureRequest(conversation, step.value, decisions, placeholders)
    // The encoding keeps the texts of two generations; here their hashes are enough.
    encoding.forgetOld()
    return tokens
  }
  return {
    countTokens,
    count: (request) => {
      const run = count(request).finally(() => counting.delete(run))
      counting.add(run)
      return run
    },
    isBusy: () => counting.size >= MOST_AT_ONCE,
    next: () => Promise.race(counting),
  }
}
