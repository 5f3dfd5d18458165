/** What a user says of models: prices, cache rule, context limit, and models of one's own, by model. */
import * as v from 'valibot'
import { cacheFamilyById } from './cache-rules'

const price = v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)))
const tokens = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))

const OWN_TERMS = v.object({
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
  /** A model of the user's own bears its name here. */
  name: v.optional(v.pipe(v.string(), v.maxLength(120))),
})

export const OWN_TERM_KEYS: readonly string[] = Object.keys(OWN_TERMS.entries)

export type OwnTerms = Readonly<v.InferOutput<typeof OWN_TERMS>>

/** By key of the model. */
export type OwnTermsByModel = Readonly<Record<string, OwnTerms>>

export type CheckedTerms =
  | { readonly state: 'valid'; readonly terms: OwnTerms }
  | {
      readonly state: 'invalid'
      /** Undefined when it is about the whole. */
      readonly key: string | undefined
      readonly found: unknown
      /** In words, of English. */
      readonly expected: string
    }

/** Checks what is said of one model; keys that are not known are left out. */
export function checkOwnTerms(value: unknown): CheckedTerms {
  const checked = v.safeParse(OWN_TERMS, value)
  if (checked.success) return { state: 'valid', terms: checked.output }
  const [issue] = checked.issues
  const key = issue.path?.[0]?.key
  return {
    state: 'invalid',
    key: key as string | undefined,
    found: issue.input,
    expected: expectedOf(key),
  }
}

function expectedOf(key: unknown): string {
  switch (key) {
    case undefined:
      return 'an object'
    case 'name':
      return 'a name of at most 120 characters'
    case 'cacheFamily':
      return 'the id of a cache family'
    case 'minimumTokens':
    case 'stepTokens':
    case 'contextWindow':
      return 'a whole number of tokens, 0 or more'
    default:
      return 'dollars per million tokens, 0 or more'
  }
}
