/**
 * The documented cache rule of each model family, with its source. Users can override them. The pages were read in
 * November 2026 in stored copies of summer and autumn 2026.
 * Factors are relative to the input price and apply only where the price data has no price for reads or writes.
 * OpenAI considers the latest 80 breakpoints of a conversation; by default each request sets one. Anthropic considers the
 * 20 blocks up to and including a mark; agents mark the head and the last message.
 */
import { type CacheTerms, DEFAULT_CACHE, type PolicyOfModel } from '../policy/break-even'
import type { MaskPolicy } from '../policy/policy'
import { vendorModelName } from '../tokens/model-families'
import FAMILIES from './cache-families.json' with { type: 'json' }
import type { CacheRule } from './prompt-cache'

export interface CacheFamily {
  readonly id: string
  readonly label: string
  /** Matches the vendor's model names; undefined if a name does not determine that this rule applies. */
  readonly models: RegExp | undefined
  readonly rule: CacheRule
  /** Relative to the input price; undefined if there is no cache. */
  readonly readFactor: number | undefined
  readonly writeFactor: number | undefined
  /** The lifetime of cache entries that writes are priced for: `default` is five minutes or more. */
  readonly entryLife: 'default' | 'hour'
  readonly source: string
  /** Year and month in which the source was read, such as `2026-11`. */
  readonly date: string
}

const DATE = '2026-11'

/** No caching, or caching that is not used. */
export const NO_CACHE: CacheFamily = {
  id: 'none',
  label: 'No caching',
  models: undefined,
  rule: { kind: 'none' },
  readFactor: undefined,
  writeFactor: undefined,
  entryLife: 'default',
  source: '',
  date: DATE,
}

interface ListedFamily extends Omit<CacheFamily, 'models' | 'rule' | 'date'> {
  readonly models?: string
  readonly rule: Exclude<CacheRule, { kind: 'none' }>
}

/**
 * In the order in which a model name is looked up; the first match is used. Users choose entries that live for an hour: no
 * model name determines them.
 */
export const CACHE_FAMILIES: readonly CacheFamily[] = (FAMILIES as readonly ListedFamily[]).map(
  ({ models, rule, entryLife = 'default', ...family }) => ({
    ...family,
    // A link with figures has null for what is not documented.
    rule:
      rule.kind === 'units'
        ? { ...rule, intervalTokens: undefined }
        : { ...rule, lifetimeSeconds: rule.lifetimeSeconds },
    models: models === undefined ? undefined : new RegExp(models, 'i'),
    entryLife,
    date: DATE,
  }),
)

/** The family of a model such as `anthropic/claude-sonnet-5`, on any platform; undefined if no family matches. */
export function cacheFamilyOf(model: string | undefined): CacheFamily | undefined {
  if (model === undefined) return undefined
  const name = vendorModelName(model)
  return CACHE_FAMILIES.find(({ models }) => models?.test(name))
}

/** What a window that moves at break-even knows of a family's cache. */
export function cacheOfFamily({ rule, readFactor, writeFactor }: CacheFamily): CacheTerms {
  const isOfBlocks = rule.kind === 'breakpoint' && rule.lookBack?.unit === 'blocks'
  // Without a cache every token is new, so that moving costs nothing.
  const { readRatio = 1, writeRatio = 1 } =
    rule.kind === 'none' ? {} : { readRatio: readFactor, writeRatio: writeFactor }
  return {
    ...{ readRatio, writeRatio },
    // Behind a change, the last twenty blocks hold no mark but that of the head.
    keepsOnlyHead: isOfBlocks,
    findsAllBeforeChange: rule.kind !== 'prefix' && !isOfBlocks,
    lifetimeSeconds:
      (rule.kind === 'none' ? undefined : rule.lifetimeSeconds) ?? DEFAULT_CACHE.lifetimeSeconds,
  }
}

/** The policy of requests to a model, with the model's cache where it is known. */
export function policyOfModel(policy: MaskPolicy, model: string | undefined): PolicyOfModel {
  const family = cacheFamilyOf(model)
  return family === undefined ? policy : { ...policy, cache: cacheOfFamily(family) }
}

/** The provider of a family, such as `anthropic` of `anthropic-1024`; undefined for none. */
export function providerOf({ id }: CacheFamily): string | undefined {
  return id === NO_CACHE.id ? undefined : id.split('-')[0]
}

/** The family with an id, including `none`. */
export function cacheFamilyById(id: string): CacheFamily | undefined {
  return [NO_CACHE, ...CACHE_FAMILIES].find((family) => family.id === id)
}
