/** The flags that set prices and the cache rule. */

import {
  CACHE_FAMILIES,
  type CacheFamily,
  cacheFamilyById,
  cacheFamilyOf,
  NO_CACHE,
  providerOf,
} from '../core/replay/cache-rules'
import { priceVariantsOf } from '../core/replay/charged/price-variants'
import { DEFAULT_MODEL, loadPriceBook, type PriceBook } from '../core/replay/price-book'
import { type PriceKind, type PriceOverrides, priceSheet } from '../core/replay/price-sheet'
import type { CostTerms } from '../core/replay/request-terms'
import type { Session } from '../core/replay/sessions'
import { ownMember } from '../core/text/json'
import { readTypedNumber } from '../core/text/typed-number'
import type { EncodingId } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, familyOfModel, MODEL_FAMILIES } from '../core/tokens/model-families'
import { type Flag, flagsOf, type ParsedFlags, UsageError } from './flags'
import texts from './texts.json' with { type: 'json' }

const PRICE_FLAGS: readonly (readonly [PriceKind, string])[] = [
  ['input', 'price-input'],
  ['cachedRead', 'price-cached'],
  ['cacheWrite', 'price-write'],
  ['output', 'price-output'],
]

/** Names of rules that stand for the simplest family with the rule. */
const PLAIN_RULES: Readonly<Record<string, string>> = {
  prefix: 'openai-5',
  breakpoint: 'openai-5.6',
}

const RULE_NAMES = [NO_CACHE.id, ...Object.keys(PLAIN_RULES), ...CACHE_FAMILIES.map(({ id }) => id)]

export const COST_FLAGS: readonly Flag[] = flagsOf(texts.costs.flags, {
  model: DEFAULT_MODEL_FAMILY.label,
  rules: RULE_NAMES.join(', '),
})

export const [MODEL_FLAG] = COST_FLAGS as readonly [Flag]

export type NamedTerms = Readonly<ReturnType<typeof namedTerms>>

/**
 * Reads prices and cache rule from flags; the result takes the model that a transcript names, which is used if none is
 * set. Throws a `UsageError` that names the first invalid value.
 */
export async function termsFromFlags(flags: ParsedFlags) {
  const named = flags.text(MODEL_FLAG.name)
  const chosen = chosenRule(flags)
  const overrides = readOverrides(flags)
  const book = await loadPriceBook(new Date().toISOString().slice(0, 10))
  return (documentModel = DEFAULT_MODEL) =>
    namedTerms(named ?? documentModel, chosen, overrides, book, named === undefined)
}

function namedTerms(
  model: string,
  chosen: CacheFamily | undefined,
  overrides: PriceOverrides,
  book: PriceBook,
  followsUsage: boolean,
) {
  const familyOf = (name: string) => chosen ?? cacheFamilyOf(name)
  const family = familyOf(model) ?? NO_CACHE
  const listed = book.find(model)
  const prices = priceSheet(listed, family, overrides)
  /** A sentence for each unknown property of the model. */
  const unknown: string[] = []
  if (prices.input === undefined)
    unknown.push(`No price is known for ${model}: costs are null; --price-input gives one.`)
  if (familyOf(model) === undefined)
    unknown.push(
      `No cache rule is known for ${model}: costs are without one; --cache-rule names one.`,
    )
  if (listed?.havePricesEnded === true)
    unknown.push(`The prices of ${model} ended on ${listed.pricesUntil}; no later ones are known.`)
  const isFromData = Object.values(prices).some((price) => price?.origin === 'price_data')
  const terms: CostTerms = { prices, rule: family.rule, provider: providerOf(family) }
  const pricesOf = (name: string) => ({
    family: familyOf(name) ?? NO_CACHE,
    sheetOfFamily: (one: CacheFamily) => priceSheet(book.find(name), one, overrides),
  })
  return {
    model,
    family,
    terms,
    /** Day of the price data; undefined if no price is from it. */
    priceDate: isFromData ? (listed?.overlay?.date ?? book.date) : undefined,
    unknown,
    /** The terms with prices for requests whose usage names another model or one-hour writes. */
    termsFor: (sessions: readonly Pick<Session, 'requests'>[]): CostTerms => {
      const others = followsUsage ? pricesOf : undefined
      const variants = priceVariantsOf(sessions, { model, ...pricesOf(model), pricesOf: others })
      return variants.length === 0 ? terms : { ...terms, variants }
    },
  }
}

function chosenRule(flags: ParsedFlags): CacheFamily | undefined {
  const name = flags.text('cache-rule')
  if (name === undefined) return undefined
  const family = cacheFamilyById(ownMember(PLAIN_RULES, name) ?? name)
  if (family !== undefined) return family
  throw new UsageError(`--cache-rule is "${name}"; expected one of ${RULE_NAMES.join(', ')}.`)
}

function readOverrides(flags: ParsedFlags): PriceOverrides {
  const overrides: Partial<Record<PriceKind, number>> = {}
  for (const [kind, name] of PRICE_FLAGS) {
    const given = flags.text(name)
    if (given === undefined) continue
    const price = readPrice(given)
    if (typeof price === 'string') throw new UsageError(`--${name} is "${given}"; ${price}`)
    overrides[kind] = price
  }
  return overrides
}

/** A price with a decimal point or comma; a sentence if it is neither, or could be thousands. */
function readPrice(given: string): number | string {
  const isPlain = /^\d+(\.\d+)?$/.test(given)
  const locales = { reader: isPlain ? 'en' : 'fr', page: 'en' }
  const bounds = { isWhole: false, minimum: 0, maximum: Number.MAX_VALUE }
  const typed = readTypedNumber(given, { ...locales, ...bounds })
  if (typed.state === 'number') return typed.value
  if (typed.state !== 'ambiguous') return 'expected dollars, such as 1.25.'
  const [one, other] = typed.readings
  return `that is ${one} or ${other}; expected no mark between thousands.`
}

/** The encoding of `--model`, by default that of the page. Throws a `UsageError` for an unknown model. */
export function chooseEncoding(flags: ParsedFlags): EncodingId {
  const named = flags.text(MODEL_FLAG.name)
  if (named === undefined) return DEFAULT_MODEL_FAMILY.encoding
  const encoding = encodingOfModel(named)
  if (encoding !== undefined) return encoding
  const known = MODEL_FAMILIES.map(({ id }) => id).join(', ')
  throw new UsageError(`--model is "${named}"; expected a model of the families ${known}.`)
}

/** The encoding of a model or family of models; undefined if it is unknown. */
export function encodingOfModel(model: string): EncodingId | undefined {
  return (MODEL_FAMILIES.find(({ id }) => id === model) ?? familyOfModel(model))?.encoding
}
