/** Overrides that a user sets for a model: prices, cache rule and context window. A model of the user has only overrides. */

import * as v from 'valibot'
import type { WordKey } from '../words/words'
import { cacheFamilyById } from './cache-rules'

const price = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)))
const tokens = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))

const MODEL_OVERRIDES = v.object({
  input: price,
  cachedRead: price,
  cacheWrite: price,
  output: price,
  /** Id of a cache family. */
  cacheFamily: v.optional(
    v.pipe(
      v.string(),
      v.check((id) => cacheFamilyById(id) !== undefined),
    ),
  ),
  minimumTokens: tokens,
  stepTokens: tokens,
  contextWindow: tokens,
  /** The name of a model that the user added. */
  name: v.optional(v.pipe(v.string(), v.maxLength(120))),
})

export const MODEL_OVERRIDE_KEYS: readonly string[] = Object.keys(MODEL_OVERRIDES.entries)

export type ModelOverrides = Readonly<v.InferOutput<typeof MODEL_OVERRIDES>>

/** Overrides by the key of the model. */
export type OverridesByModel = Readonly<Record<string, ModelOverrides>>

/** Checks the overrides of one model; unknown keys are removed. The key of an invalid one is undefined for what is no object. */
export function checkModelOverrides(value: unknown) {
  const checked = v.safeParse(MODEL_OVERRIDES, value)
  if (checked.success) return { state: 'valid' as const, overrides: checked.output }
  const [{ path, input: found }] = checked.issues
  const key = path?.[0].key as string | undefined
  return { state: 'invalid' as const, key, found, expected: expectedOf(key) }
}

function expectedOf(key: unknown): WordKey {
  switch (key) {
    case undefined:
      return 'object'
    case 'name':
      return 'name_of_at_most_characters'
    case 'cacheFamily':
      return 'id_of_cache_family'
    case 'minimumTokens':
    case 'stepTokens':
    case 'contextWindow':
      return 'whole_number_of_tokens_0_or_more'
    default:
      return 'dollars_per_million_tokens_0_or_more'
  }
}
