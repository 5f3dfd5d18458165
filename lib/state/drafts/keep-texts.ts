import { singleEdit } from '@/lib/core/text/single-edit'
import type { SourceText } from '../store'
import type { KeptText, TextRef } from './draft-records'
import { newKey } from './new-key'

/** Where texts go that are not kept yet. */
export interface TextPlaces {
  /** Keys that are there already. */
  readonly kept: ReadonlySet<string>
  /** Texts to be kept, by key; added to. */
  readonly added: Map<string, KeptText>
}

export interface TextKeeper {
  /** Where a text is kept; adds it to what is to be kept when it is not. */
  readonly place: (source: SourceText, places: TextPlaces) => TextRef
  /** What keeping a text takes, in UTF-16 units; the whole text when it is not kept yet. */
  readonly sizeOf: (source: SourceText) => number
  /** Takes over where a text is kept already; `base` is the whole text it is a difference from. */
  readonly learn: (source: SourceText, ref: TextRef, base: string | undefined) => void
  /** Forgets texts but these; by id. */
  readonly retain: (ids: ReadonlySet<number>) => void
}

/** Knows which texts are kept and how: whole, or as the difference from the newest whole one of the same document. */
export function createTextKeeper(): TextKeeper {
  const refs = new Map<number, TextRef>()
  const wholes = new Map<number, { readonly key: string; readonly text: string }>()

  const isKept = (key: string, { kept, added }: TextPlaces) => kept.has(key) || added.has(key)

  const add = (source: SourceText, places: TextPlaces): TextRef => {
    const key = newKey()
    const whole = wholes.get(source.document)
    if (whole !== undefined && isKept(whole.key, places)) {
      const edit = singleEdit(whole.text, source.text) ?? { start: 0, end: 0, text: '' }
      if (edit.text.length <= source.text.length / 2) {
        const { start, end, text } = edit
        places.added.set(key, { base: whole.key, span: { start, end }, text })
        return { key, base: whole.key, size: text.length }
      }
    }
    places.added.set(key, { text: source.text })
    wholes.set(source.document, { key, text: source.text })
    return { key, base: undefined, size: source.text.length }
  }

  return {
    place: (source, places) => {
      const known = refs.get(source.id)
      const isWhole = known?.base === undefined || isKept(known.base, places)
      // What is known may be gone: forgotten or removed in another tab, or never written for want of room.
      if (known !== undefined && isKept(known.key, places) && isWhole) return known
      const ref = add(source, places)
      refs.set(source.id, ref)
      return ref
    },
    sizeOf: (source) => refs.get(source.id)?.size ?? source.text.length,
    learn: (source, ref, base) => {
      refs.set(source.id, ref)
      const text = ref.base === undefined ? source.text : base
      if (text !== undefined) wholes.set(source.document, { key: ref.base ?? ref.key, text })
    },
    retain: (ids) => {
      for (const id of refs.keys()) if (!ids.has(id)) refs.delete(id)
    },
  }
}
