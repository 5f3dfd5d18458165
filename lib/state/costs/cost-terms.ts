/** Prices and cache rule of the model. The user's overrides are applied here. */
import { type Usage, usagesOf } from '@/lib/core/conversation/conversation'
import {
  type CacheFamily,
  cacheFamilyById,
  cacheFamilyOf,
  cacheOfFamily,
  NO_CACHE,
  providerOf,
} from '@/lib/core/replay/cache-rules'
import { priceVariantsOf } from '@/lib/core/replay/charged/price-variants'
import type { ModelOverrides } from '@/lib/core/replay/model-overrides'
import type { PriceBook } from '@/lib/core/replay/price-book'
import { priceSheet } from '@/lib/core/replay/price-sheet'
import type { CacheRule } from '@/lib/core/replay/prompt-cache'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { modelOfDocument } from '@/lib/core/tokens/model-families'
import type { FileCosts, NeedsCosts } from '@/lib/worker/file-jobs'
import { optional, type PlaygroundState, select } from '../store'
import { bookOf, describeModel, modelOf, namedModel } from './chosen-model'

export type SessionCostTerms = ReturnType<typeof termsOfModel>

function termsOfModel(model: ReturnType<typeof describeModel>, priceDate: string) {
  const { overrides, key } = model
  const documented = cacheFamilyOf(key)
  const chosen =
    overrides?.cacheFamily === undefined ? undefined : cacheFamilyById(overrides.cacheFamily)
  const family = chosen ?? documented ?? NO_CACHE
  const rule = withOverriddenSizes(family.rule, overrides)
  const isOverridden = chosen !== undefined || rule !== family.rule
  const prices = priceSheet(model.listed, family, overrides)
  const isFromData = Object.values(prices).some((price) => price?.origin === 'price_data')
  /** The provider's documentation or the user; `unknown` counts no caching. */
  const ruleOrigin = isOverridden
    ? ('user' as const)
    : documented === undefined
      ? ('unknown' as const)
      : ('documented' as const)
  const terms: CostTerms = { prices, rule, provider: providerOf(family) }
  /** Day of the listed prices; undefined if no price is listed. */
  const date = isFromData ? (model.listed?.overlay?.date ?? priceDate) : undefined
  return { model, family, ruleOrigin, prices, terms, priceDate: date }
}

function withOverriddenSizes(rule: CacheRule, overrides: ModelOverrides | undefined): CacheRule {
  if (rule.kind === 'none') return rule
  const { minimumTokens, stepTokens } = overrides ?? {}
  if (minimumTokens === undefined && stepTokens === undefined) return rule
  const minimum = minimumTokens ?? rule.minimumTokens
  if (rule.kind === 'units')
    return { ...rule, minimumTokens: minimum, intervalTokens: stepTokens || rule.intervalTokens }
  return { ...rule, minimumTokens: minimum, stepTokens: Math.max(1, stepTokens ?? rule.stepTokens) }
}

/** Adds prices for requests whose usage names another model, if the document's is used, or one-hour writes. */
function withVariants(
  base: SessionCostTerms,
  usages: readonly Usage[],
  named: string | undefined,
  priceBook: PriceBook,
): SessionCostTerms {
  const { model, family, terms } = base
  if (usages.length === 0) return base
  const pricesOf = (name: string) => ({
    family: cacheFamilyOf(name) ?? NO_CACHE,
    sheetOfFamily: (one: CacheFamily) => priceSheet(priceBook.find(name), one),
  })
  const variants = priceVariantsOf([{ requests: usages.map((usage) => ({ usage })) }], {
    model: named ?? model.name,
    family,
    sheetOfFamily: (one) => priceSheet(model.listed, one, model.overrides),
    pricesOf: model.source === 'document' ? pricesOf : undefined,
  })
  return variants.length === 0 ? base : { ...base, terms: { ...terms, variants } }
}

/** The terms of a file that is not open on the page. They are not remembered, so that those of the page are. */
export function costsOfFile(
  { model: chosen, modelOverrides }: Pick<PlaygroundState, 'model' | 'modelOverrides'>,
  priceBook: PriceBook,
  { model: found, usages }: Omit<NeedsCosts, 'state'>,
): FileCosts {
  const { name: modelId, source } = namedModel(chosen, found)
  const model = describeModel(modelId, source, priceBook, modelOverrides)
  const { terms } = withVariants(termsOfModel(model, priceBook.date), usages, found, priceBook)
  return { model: model.name, modelId, terms }
}

/** The terms of a model that files name; those of single requests with another model are left out. */
export function termsOfNamedModel(
  { modelOverrides }: Pick<PlaygroundState, 'modelOverrides'>,
  priceBook: PriceBook,
  modelId: string,
): SessionCostTerms {
  return termsOfModel(describeModel(modelId, 'document', priceBook, modelOverrides), priceBook.date)
}

/** Whether the model's caching is known, for texts that name it. */
export function knownRuleOf(state: PlaygroundState) {
  return costTermsOf(state)?.ruleOrigin === 'unknown' ? ('unknown' as const) : ('known' as const)
}

const plainTermsOf = select([modelOf, (state) => bookOf(state)?.date], (model, date) =>
  termsOfModel(model, date),
)

/** The chosen model's terms; undefined until the prices it needs are loaded. */
export const costTermsOf = select(
  [plainTermsOf, optional(({ read }) => read), bookOf],
  (terms, read, priceBook) => {
    const conversations = read?.model.conversations ?? []
    return withVariants(terms, usagesOf(conversations), modelOfDocument(conversations), priceBook)
  },
)

/** What a window that moves at break-even knows of the model's cache; undefined if that is unknown. */
export const modelCacheOf = select([plainTermsOf], ({ family, ruleOrigin }) =>
  ruleOrigin === 'unknown' ? undefined : cacheOfFamily(family),
)

export const termsOf = (state: PlaygroundState) => costTermsOf(state)?.terms

/** What a report says about a model: prices with date and source, cache rule, counting. */
export type ModelFacts = Pick<
  ReportFacts,
  'model' | 'counting' | 'prices' | 'priceList' | 'pricingUrl' | 'changesByHour' | 'cache'
>

export function modelFactsOf(
  { model, family, ruleOrigin, prices, terms, priceDate }: SessionCostTerms,
  priceBook: PriceBook | undefined,
): ModelFacts {
  const { encoding, isExact } = model.family
  return {
    model: { name: model.name, provider: model.providerName, contextTokens: model.contextWindow },
    counting: { encoding, isExact },
    prices,
    priceList:
      priceBook === undefined || priceDate === undefined
        ? undefined
        : {
            source: model.listed?.overlay?.source ?? `${priceBook.source} ${priceBook.version}`,
            date: priceDate,
          },
    pricingUrl: model.listed?.pricingUrl,
    changesByHour: model.listed?.changesByHour ?? false,
    cache: {
      label: family.label,
      rule: terms.rule,
      source: family.source,
      date: family.date,
      origin: ruleOrigin,
    },
  }
}
