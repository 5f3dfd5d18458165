import { singleEdit } from '@/lib/core/text/edits'
import type { LazySource } from '../document/remembered-source'
import type { TextRef, TextToStore } from './draft-records'
import { newKey } from './draft-records'

export interface TextPlaces {
  /** Keys of stored texts. */
  readonly stored: ReadonlySet<string>
  /** Texts to store, by key. */
  readonly added: Map<string, TextToStore>
}

type SourceId = Pick<LazySource, 'id' | 'document'>

/** Decides how texts are stored: in full, or as the difference from the newest full text of the same document. */
export function createTextSaver() {
  const refs = new Map<number, TextRef>()
  const wholes = new Map<number, { readonly key: string; readonly text: string }>()

  const isStored = (key: string, { stored, added }: TextPlaces) => stored.has(key) || added.has(key)

  const add = (source: LazySource, places: TextPlaces): TextRef => {
    const key = newKey()
    const text = source.makeText()
    const whole = wholes.get(source.document)
    if (whole !== undefined && isStored(whole.key, places)) {
      const edit = singleEdit(whole.text, text) ?? { start: 0, end: 0, text: '' }
      if (edit.text.length <= text.length / 2) {
        const { start, end, text: added } = edit
        places.added.set(key, { base: whole.key, span: { start, end }, text: added })
        return { key, base: whole.key, size: added.length }
      }
    }
    places.added.set(key, { text: source.pieces ?? text })
    wholes.set(source.document, { key, text })
    return { key, base: undefined, size: text.length }
  }

  return {
    /** Location of a text; adds the text to `added` if it is not stored. */
    place: (source: LazySource, places: TextPlaces): TextRef => {
      const known = refs.get(source.id)
      const isWhole = known?.base === undefined || isStored(known.base, places)
      // Another tab may have deleted the text, or there was no space to write it.
      if (known !== undefined && isStored(known.key, places) && isWhole) return known
      const ref = add(source, places)
      refs.set(source.id, ref)
      return ref
    },
    /** Stored size of a text in UTF-16 units; its length if it is not stored yet. */
    sizeOf: (source: LazySource): number => refs.get(source.id)?.size ?? source.length,
    /** Registers a stored text; `whole` is the text it is a difference from, or itself. */
    learn: (source: SourceId, ref: TextRef, whole: string) => {
      refs.set(source.id, ref)
      wholes.set(source.document, { key: ref.base ?? ref.key, text: whole })
    },
    /** Forgets all texts except these, and the full texts of other documents. */
    retain: (sources: readonly SourceId[]) => {
      const ids = new Set(sources.map(({ id }) => id))
      const documents = new Set(sources.map(({ document }) => document))
      for (const id of refs.keys()) if (!ids.has(id)) refs.delete(id)
      for (const document of wholes.keys()) if (!documents.has(document)) wholes.delete(document)
    },
  }
}
