/**
 * How often a cache loses, within its lifetime, what an earlier request left in it: as observed on published sessions, by
 * provider, kind of request and pause before it (`miss-rates.json`; the method is in `docs/costs.md`).
 */
import { addUp } from '../../conversation/add-up'
import { cacheFamilyOf, NO_CACHE, providerOf } from '../cache-rules'
import type { Tokens } from '../prompt-cache'
import { type CostTerms, requestTermsOf } from '../request-terms'
import type { Session } from '../sessions'
import TABLE from './miss-rates.json' with { type: 'json' }

export const MISS_KINDS = ['tool_result', 'new_prompt'] as const

type Observed = readonly [requests: number, misses: number]

/** By kind and pause: the number of requests and of misses among them. */
export type ObservedMisses = Readonly<Record<(typeof MISS_KINDS)[number], readonly Observed[]>>

/** The kind of a request, and the index of its pause. */
export interface MissCell {
  readonly kind: (typeof MISS_KINDS)[number]
  readonly pause: number
}

/** Longest pause of each column, in seconds; the last one has no end. */
export const PAUSE_SECONDS: readonly number[] = TABLE.pauseSeconds

export type ProviderMisses = Readonly<ReturnType<typeof missesAt>>

const PROVIDERS = TABLE.providers as unknown as Readonly<
  Record<string, { readonly shape: number } & ObservedMisses>
>

/** What was charged over what was predicted where no miss was in it, as equally likely values. */
export const COUNTING_ERRORS: readonly number[] = TABLE.countingErrors

/** Of all providers together where the own one, then undefined, was not observed. */
export function missesAt(provider: string | undefined) {
  const own = provider === undefined ? undefined : PROVIDERS[provider]
  const all = own === undefined ? Object.values(PROVIDERS) : [own]
  return {
    provider: own && provider,
    observed: addUp(all.map(({ shape: _, ...observed }): ObservedMisses => observed)),
    /** Shape of the gamma distribution of a session's misses over those expected: the larger, the more alike sessions are. */
    shape: Math.min(...all.map(({ shape }) => shape)),
  }
}

/** The share of such requests that miss. Half a miss is added, since none among a few does not show that there are none. */
export function missRate({ observed }: ProviderMisses, { kind, pause }: MissCell): number {
  const [requests, misses] = observed[kind][pause] as Observed
  return (misses + 0.5) / (requests + 1)
}

/** By request. Without times, a pause counts as short. */
export function missCells({ requests, conversation }: Session): MissCell[] {
  const hasResults = new Uint8Array(conversation.messages.length)
  for (const { message } of conversation.results) hasResults[message] = 1
  return requests.map(({ end, sentAt }, index) => {
    const before = requests[index - 1]
    const hasResult = hasResults.subarray(before?.end ?? 0, end).includes(1)
    const seconds = ((sentAt ?? 0) - (before?.sentAt ?? sentAt ?? 0)) / 1000
    const pause = PAUSE_SECONDS.findIndex((longest) => seconds <= longest)
    return {
      kind: hasResult ? 'tool_result' : 'new_prompt',
      pause: pause === -1 ? PAUSE_SECONDS.length : pause,
    }
  })
}

/** Fewer tokens in the cache show nothing. */
const LEAST_HELD: Tokens = 1024

/**
 * The misses of a session by its own usage: a request that reads less than half of what the one before it left in the
 * cache beyond the head that the first one read. Requests that are smaller than the one before, that come after the
 * lifetime or name another model are left out, and so are those of another provider than that of the terms.
 */
export function ownMisses(
  session: Session,
  { rule, variants, provider }: CostTerms,
): (MissCell & { readonly isMiss: boolean })[] {
  const { requests } = session
  const { startsCold } = requestTermsOf(requests, rule, variants)
  const cells = missCells(session)
  const head = requests[0]?.usage?.cacheReadTokens ?? 0
  const models = new Set(requests.flatMap(({ usage }) => usage?.model ?? []))
  const others = [...models].filter(
    (model) => providerOf(cacheFamilyOf(model) ?? NO_CACHE) !== provider,
  )
  return requests.flatMap((request, index) => {
    const [last, now] = [requests[index - 1]?.usage, request.usage]
    const [sent = 0, input = 0, read] = [last?.inputTokens, now?.inputTokens, now?.cacheReadTokens]
    const held = sent - Math.min(head, sent)
    const isSame = last?.model === now?.model && input >= sent && startsCold[index] === 0
    if (read === undefined || !isSame || others.includes(now?.model ?? '') || held < LEAST_HELD)
      return []
    return [{ ...(cells[index] as MissCell), isMiss: 2 * (sent - read) > held }]
  })
}
