import { singleEdit } from '@/lib/core/text/single-edit'
import type { SourceText } from '../document/document-slice'
import type { StoredText, TextRef } from './draft-records'
import { newKey } from './new-key'

export interface TextPlaces {
  /** Keys of stored texts. */
  readonly stored: ReadonlySet<string>
  /** Texts to store, by key. */
  readonly added: Map<string, StoredText>
}

export interface TextSaver {
  /** Location of a text; adds the text to `added` if it is not stored. */
  readonly place: (source: SourceText, places: TextPlaces) => TextRef
  /** Stored size of a text in UTF-16 units; its length if it is not stored yet. */
  readonly sizeOf: (source: SourceText) => number
  /** Registers a stored text; `base` is the text it is a difference from. */
  readonly learn: (source: SourceText, ref: TextRef, base: string | undefined) => void
  /** Forgets all texts except these, and the full texts of other documents. */
  readonly retain: (sources: readonly Pick<SourceText, 'id' | 'document'>[]) => void
}

/** Decides how texts are stored: in full, or as the difference from the newest full text of the same document. */
export function createTextSaver(): TextSaver {
  const refs = new Map<number, TextRef>()
  const wholes = new Map<number, { readonly key: string; readonly text: string }>()

  const isStored = (key: string, { stored, added }: TextPlaces) => stored.has(key) || added.has(key)

  const add = (source: SourceText, places: TextPlaces): TextRef => {
    const key = newKey()
    const whole = wholes.get(source.document)
    if (whole !== undefined && isStored(whole.key, places)) {
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
      const isWhole = known?.base === undefined || isStored(known.base, places)
      // Another tab may have deleted the text, or there was no space to write it.
      if (known !== undefined && isStored(known.key, places) && isWhole) return known
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
    retain: (sources) => {
      const ids = new Set(sources.map(({ id }) => id))
      const documents = new Set(sources.map(({ document }) => document))
      for (const id of refs.keys()) if (!ids.has(id)) refs.delete(id)
      for (const document of wholes.keys()) if (!documents.has(document)) wholes.delete(document)
    },
  }
}
