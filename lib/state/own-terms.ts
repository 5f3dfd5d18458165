/** What a user says of models: prices, cache rule, context limit, and models of one's own. Kept in the browser, by model. */
import * as v from 'valibot'
import { cacheFamilyById } from '@/lib/core/replay/cache-rules'

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

export type OwnTerms = Readonly<v.InferOutput<typeof OWN_TERMS>>

/** By key of the model. */
export type OwnTermsByModel = Readonly<Record<string, OwnTerms>>

const MAX_MODELS = 500

/** Reads what was kept; entries that are damaged are left out alone. */
export function readOwnTerms(text: string | null): OwnTermsByModel {
  const own: Record<string, OwnTerms> = Object.create(null)
  for (const [key, value] of Object.entries(parsed(text)).slice(0, MAX_MODELS)) {
    const entry = v.safeParse(OWN_TERMS, value)
    if (entry.success) own[key] = entry.output
  }
  return own
}

function parsed(text: string | null): object {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const STORAGE_KEY = 'masking-playground.prices'

/** Where own terms are kept; a browser may refuse every access to it. */
export type KeepsTexts = Pick<Storage, 'getItem' | 'setItem'>

interface HasOwnTerms {
  readonly getState: () => { readonly ownTerms: OwnTermsByModel }
  readonly setState: (part: { readonly ownTerms: OwnTermsByModel }) => void
  readonly subscribe: (changed: () => void) => () => void
}

/** Takes kept terms into a store and keeps those it has from then on; returns the way to stop. */
export function followOwnTerms(store: HasOwnTerms, storage: () => KeepsTexts): () => void {
  let kept = store.getState().ownTerms
  try {
    const read = readOwnTerms(storage().getItem(STORAGE_KEY))
    kept = { ...read, ...kept }
    store.setState({ ownTerms: kept })
  } catch {
    // Storage is refused: own prices last as long as the page.
  }
  return store.subscribe(() => {
    const { ownTerms } = store.getState()
    if (ownTerms === kept) return
    kept = ownTerms
    try {
      storage().setItem(STORAGE_KEY, JSON.stringify(ownTerms))
    } catch {
      // As above.
    }
  })
}
