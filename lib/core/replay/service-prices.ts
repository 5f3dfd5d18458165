/** What the service of a request does to its prices: a faster or slower tier, a region. Sources are in the data. */
import type { Usage } from '../conversation/conversation'
import { vendorModelName } from '../tokens/model-families'
import type { Usd } from './prompt-cache'
import DATA from './service-prices.json' with { type: 'json' }

/** The price of a search of the web, with its source. */
export const SEARCH_PRICE: { readonly usd: Usd; readonly source: string; readonly date: string } =
  DATA.searchPrice

/** The services that a usage names, such as `speed=fast`; without a price if none is known for the model. */
export function servicesOf({ service = [], model = '' }: Usage) {
  const vendorName = vendorModelName(model)
  return service.map((name) => ({
    name,
    price: DATA.factors.find(
      ({ member, value, models }) =>
        name === `${member}=${value}` && new RegExp(models, 'i').test(vendorName),
    ),
  }))
}

/** The factor on all prices of a request; a service without a known price leaves them as they are. */
export function serviceFactorOf(usage: Usage): number {
  if (usage.service === undefined || usage.service.length === 0) return 1
  return servicesOf(usage).reduce((product, { price }) => product * (price?.factor ?? 1), 1)
}
