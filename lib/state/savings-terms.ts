/** What the session is paid by: prices and cache rule of the model, the user's own in their place. */
import {
  type CacheFamily,
  cacheFamilyById,
  cacheFamilyOf,
  NO_CACHE,
} from '@/lib/core/replay/cache-rules'
import type { OwnTerms } from '@/lib/core/replay/own-terms'
import { type PriceSheet, priceSheet } from '@/lib/core/replay/price-sheet'
import type { CacheRule } from '@/lib/core/replay/prompt-cache'
import type { CostTerms } from '@/lib/core/replay/replay'
import { type ChosenModel, modelOf } from './models'
import { remembered } from './remembered'
import type { PlaygroundState } from './store'

/** `documented`: as the model's provider says. `user`: chosen. `unknown`: none is known, so none is counted. */
export type RuleOrigin = 'documented' | 'user' | 'unknown'

export interface SessionTerms {
  readonly model: ChosenModel
  readonly family: CacheFamily
  readonly ruleOrigin: RuleOrigin
  readonly prices: PriceSheet
  /** What replays are paid with. */
  readonly terms: CostTerms
  /** Day of the price data; undefined when no price used is from it. */
  readonly priceDate: string | undefined
}

const sessionTerms = remembered((model: ChosenModel, priceDate: string): SessionTerms => {
  const { own, key } = model
  const documented = cacheFamilyOf(key)
  const chosen = own?.cacheFamily === undefined ? undefined : cacheFamilyById(own.cacheFamily)
  const family = chosen ?? documented ?? NO_CACHE
  const rule = withOwnSizes(family.rule, own)
  const isOwn = chosen !== undefined || rule !== family.rule
  const prices = priceSheet(model.listed, family, own)
  const isFromData = Object.values(prices).some((price) => price?.origin === 'price_data')
  return {
    model,
    family,
    ruleOrigin: isOwn ? 'user' : documented === undefined ? 'unknown' : 'documented',
    prices,
    terms: { prices, rule },
    priceDate: isFromData ? priceDate : undefined,
  }
})

function withOwnSizes(rule: CacheRule, own: OwnTerms | undefined): CacheRule {
  if (rule.kind === 'none') return rule
  const { minimumTokens, stepTokens } = own ?? {}
  if (minimumTokens === undefined && stepTokens === undefined) return rule
  return {
    ...rule,
    minimumTokens: minimumTokens ?? rule.minimumTokens,
    stepTokens: Math.max(1, stepTokens ?? rule.stepTokens),
  }
}

/** The terms of the model; undefined until the price data is there. */
export function termsOf(state: PlaygroundState): SessionTerms | undefined {
  const model = modelOf(state)
  if (model === undefined || state.priceBook === undefined) return undefined
  return sessionTerms(model, state.priceBook.date)
}
