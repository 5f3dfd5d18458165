/** The facts of a session made for the test, and its report in English. */

import { createFormatter, createTranslator } from 'use-intl/core'
import { readUsage } from '@/lib/core/formats/reading/read-usage'
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '@/lib/core/replay/cache-rules'
import { fitSessions } from '@/lib/core/replay/calibration/calibrate-session'
import {
  chargeOf,
  chargesOf,
  explainCharges,
  sumCharges,
} from '@/lib/core/replay/charged/explain-charges'
import { prepareReplay } from '@/lib/core/replay/prepare-replay'
import { priceSheet } from '@/lib/core/replay/price-sheet'
import { breakEven, DEFAULT_ADVICE, recommend } from '@/lib/core/replay/recommend'
import { replayPrepared } from '@/lib/core/replay/replay'
import { createSession, prefixTokensOf, type Session } from '@/lib/core/replay/sessions'
import { sweepPrepared } from '@/lib/core/replay/sweep'
import { figureFormat } from '@/lib/core/report/figure-format'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { conversationOf, turnOf } from '@/lib/core/testing/conversation-of'
import { countConversation } from '@/lib/core/tokens/count-conversation'
import { inEnglish } from '@/lib/core/words/english'
import { loadTexts } from '@/lib/messages/languages'
import { writeReport } from '../write-report'

const { messages } = await loadTexts('en')
const FORMATTER = createFormatter({ locale: 'en', timeZone: 'UTC' })
export const TEXTS = {
  words: inEnglish,
  t: createTranslator({ locale: 'en', messages, namespace: 'report' }),
  format: figureFormat(FORMATTER),
  rule: 'known' as const,
}
const SECRET = 'the launch code is 0000'
const HOSTILE = '<img src=x onerror=alert(1)>"\'&`|*[a](http://evil.example/x.js)'

/** Usage for our counts and a head of 5,000 tokens that the transcript does not show; all but 700 tokens are read. */
function withUsage(session: Session): Session {
  const { counts, requests } = session
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const usageOf = (end: number) => {
    const all = 5000 + (prefix[end] as number)
    const prompt_tokens_details = { cached_tokens: all - 700 }
    const usage = { prompt_tokens: all, prompt_tokens_details, completion_tokens: 20 }
    return readUsage(usage, 'chat')
  }
  return { ...session, requests: requests.map((one) => ({ ...one, usage: usageOf(one.end) })) }
}

interface Case {
  readonly turns?: number
  readonly policy?: Partial<MaskPolicy>
  readonly family?: string
  readonly input?: number | 'unknown'
  readonly names?: boolean
  /** True for answers that state what the provider counted. */
  readonly isCharged?: boolean
}

export function factsOf({
  turns = 60,
  policy,
  family = 'openai-5',
  input = 1.25,
  names,
  isCharged = false,
}: Case = {}) {
  const messages = [
    { role: 'user', content: `begin; ${SECRET}` },
    ...Array.from({ length: turns }, (_, turn) =>
      turnOf(`c${turn}`, `${SECRET} ${turn} `.repeat(150), HOSTILE),
    ).flat(),
    { role: 'assistant', content: 'done' },
  ]
  const conversation = conversationOf(messages)
  const countTokens = (text: string) => Math.ceil(text.length / 4)
  const plain = createSession(conversation, countConversation(conversation, countTokens))
  const session = isCharged ? withUsage(plain) : plain
  const whole: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, ...policy }
  const [fit] = fitSessions([session])
  const sources = {
    textOf: (index: number) => conversation.resultTexts[index]?.join('') ?? '',
    placeholderTokensOf: (_: number, placeholder: string) => countTokens(placeholder),
  }
  const facts = prepareReplay(session, whole, sources, fit)
  const cache = cacheFamilyById(family) ?? NO_CACHE
  const stated = { input: input === 'unknown' ? undefined : input, output: 10 }
  const prices = priceSheet(undefined, cache, stated)
  const terms = { prices, rule: cache.rule }
  const window = whole.enabled ? whole : { windowTurns: 0, batchTurns: 1 }
  const replayed = replayPrepared(facts, window, terms)
  const advice = { ...DEFAULT_ADVICE, smallestWindow: 1 }
  const recommendation = recommend(sweepPrepared(facts, terms), 0, advice)
  const tool = { name: HOSTILE, results: turns, maskedResults: 3, tokens: 1234 }
  const report: ReportFacts = {
    day: '2026-11-27',
    unnamed: { excludeTools: 0, errorPatterns: 0 },
    measured: {
      ...{ format: 'OpenAI chat', origin: 'conversation', nonTextParts: 0 },
      ...{ messages: messages.length, turns, results: turns },
    },
    names: names ? { file: HOSTILE, tools: [tool] } : undefined,
    policy: whole,
    model: { name: 'GPT-5', provider: 'OpenAI', contextTokens: 400_000 },
    counting: { encoding: 'o200k_base', isExact: true },
    prices,
    priceList: { source: '@pydantic/genai-prices 0.1.8', date: '2026-09-23' },
    pricingUrl: 'https://platform.openai.com/docs/pricing',
    changesByHour: false,
    cache: { ...cache, origin: 'documented' },
    hasExpiry: false,
    charged: isCharged
      ? {
          charge: sumCharges(chargesOf(session, terms)),
          fileCost: undefined,
          conversations: 3,
          byRequest: session.requests.map(({ usage }) => usage && chargeOf(usage, terms)),
          explained: fit === undefined ? [] : explainCharges(session, fit, terms),
        }
      : undefined,
    calibration: fit && { inUse: fit, fit, estimateSource: undefined, isSetByUser: false },
    nextRequest: { before: 60_000, after: 20_000 },
    replayed,
    prefixBreaks: 52,
    recommendation,
    advice,
    breakEven: { plain: breakEven(replayed, 'plain'), cached: breakEven(replayed, 'cached') },
  }
  return report
}

export const LOSSES = {
  ...{ laterUses: 12, usesByRequest: [0, 12] },
  ...{ lostUses: 3, lostByRequest: [0, 3], lostResults: 2 },
  ...{ worstCost: 1, breakEven: 5, mostTurns: 6, mostShare: 0.95 },
}

export const pageOf = (facts: ReportFacts) => writeReport(TEXTS, facts, 'en')
export const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
