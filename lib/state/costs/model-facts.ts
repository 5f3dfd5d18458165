import type { PriceBook } from '@/lib/core/replay/price-book'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import type { SessionCostTerms } from './cost-terms'

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
    model: {
      name: model.name,
      provider: model.providerName,
      contextTokens: model.contextWindow,
    },
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
