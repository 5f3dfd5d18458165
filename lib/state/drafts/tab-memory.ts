/** What a tab remembers over a reload, apart from every other tab: its draft, and the address it knows. */
import * as v from 'valibot'

const KEY = 'masking-playground.tab'

const MEMORY = v.object({
  /** Undefined while the tab shows nothing of the reader's own. */
  draft: v.optional(v.string()),
  /** The fragment this tab wrote or took last: another one is a link somebody opened. */
  address: v.optional(v.string(), ''),
  /** Everything was forgotten just now: said once. */
  hasForgotten: v.optional(v.boolean()),
})

export type TabMemory = Readonly<v.InferOutput<typeof MEMORY>>

/** The part of a browser's `Storage` that is used; a browser may refuse every access to it. */
export type KeepsTabMemory = () => Pick<Storage, 'getItem' | 'setItem'>

/** Undefined in a tab that is new. */
export function readTabMemory(storage: KeepsTabMemory): TabMemory | undefined {
  try {
    const text = storage().getItem(KEY)
    const memory = v.safeParse(MEMORY, JSON.parse(text ?? 'null'))
    return memory.success ? memory.output : undefined
  } catch {
    return undefined
  }
}

export function writeTabMemory(storage: KeepsTabMemory, memory: TabMemory): void {
  try {
    storage().setItem(KEY, JSON.stringify(memory))
  } catch {
    // Refused: a reload then is like a new tab.
  }
}
