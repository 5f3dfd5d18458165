/** Own prices and models, kept in the browser; read as they were left, damaged entries left out alone. */
import { checkOwnTerms, type OwnTerms, type OwnTermsByModel } from '@/lib/core/replay/own-terms'
import { KEPT } from './kept-keys'

const MAX_MODELS = 500

/** Reads what was kept; entries that are damaged are left out alone. */
export function readOwnTerms(text: string | null): OwnTermsByModel {
  const own: Record<string, OwnTerms> = Object.create(null)
  for (const [key, value] of Object.entries(parsed(text)).slice(0, MAX_MODELS)) {
    const checked = checkOwnTerms(value)
    if (checked.state === 'valid') own[key] = checked.terms
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
    const read = readOwnTerms(storage().getItem(KEPT.prices))
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
      storage().setItem(KEPT.prices, JSON.stringify(ownTerms))
    } catch {
      // As above.
    }
  })
}
