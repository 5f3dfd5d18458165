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

export type CheckedModelOverrides =
  | { readonly state: 'valid'; readonly overrides: ModelOverrides }
  | {
      readonly state: 'invalid'
      /** Undefined if the value is not an object. */
      readonly key: string | undefined
      readonly found: unknown
      readonly expected: WordKey
    }

/** Checks the overrides of one model; unknown keys are removed. */
export function checkModelOverrides(value: unknown): CheckedModelOverrides {
  const checked = v.safeParse(MODEL_OVERRIDES, value)
  if (checked.success) return { state: 'valid', overrides: checked.output }
  const [issue] = checked.issues
  const key = issue.path?.[0].key
  return {
    state: 'invalid',
    key: key as string | undefined,
    found: issue.input,
    expected: expectedOf(key),
  }
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
