/** A tab's entry in session storage: its draft and its address. It survives a reload. */
import * as v from 'valibot'

const KEY = 'masking-playground.tab'

const MEMORY = v.object({
  /** Undefined while the tab has no work of the user. */
  draft: v.optional(v.string()),
  /** The last fragment this tab wrote or applied; any other one is a link that was opened. */
  address: v.optional(v.string(), ''),
  /** The fragment before it: a reload can overtake the last write. */
  addressBefore: v.optional(v.string()),
  /** True right after everything was deleted, for one notice. */
  hasForgotten: v.optional(v.boolean()),
})

export type TabRecord = Readonly<v.InferOutput<typeof MEMORY>>

/** The browser may refuse every access to it. */
export type TabStorage = () => Pick<Storage, 'getItem' | 'setItem'>

/** Undefined in a new tab. */
export function readTabRecord(storage: TabStorage): TabRecord | undefined {
  try {
    const text = storage().getItem(KEY)
    const memory = v.safeParse(MEMORY, JSON.parse(text ?? 'null'))
    return memory.success ? memory.output : undefined
  } catch {
    return undefined
  }
}

export function writeTabRecord(storage: TabStorage, memory: TabRecord): void {
  try {
    storage().setItem(KEY, JSON.stringify(memory))
  } catch {
    // Refused: after a reload, the tab is like a new one.
  }
}
