import { usableId } from '../conversation/link-messages'

/** Ties calls and responses that bear no ids; asked in the order of the conversation. */
export interface CallIds {
  /** The model speaks again: what earlier ones asked for and did not get is answered no more by name alone. */
  readonly openTurn: () => void
  /** The call's own id, or one made of its name and how many such calls stood before: `read_file-2`. */
  readonly idOfCall: (id: unknown, name: unknown) => string
  /** The id of the call that a response answers; undefined when none waits for it. */
  readonly idOfResponse: (id: unknown, name: unknown) => string | undefined
}

/** Older dumps leave out ids: a response then answers the first call of its name that waits for one. */
export function linkByName(): CallIds {
  const known = new Set<string>()
  const made = new Map<string, number>()
  let waiting: { readonly id: string; readonly name: unknown; readonly isMade: boolean }[] = []

  const standIn = (name: unknown): string => {
    const stem = usableId(name) ?? 'function'
    let count = made.get(stem) ?? 0
    do count++
    while (known.has(`${stem}-${count}`))
    made.set(stem, count)
    return `${stem}-${count}`
  }
  const take = (index: number): string | undefined => waiting.splice(index, 1)[0]?.id

  return {
    openTurn: () => {
      waiting = []
    },
    idOfCall: (id, name) => {
      const own = usableId(id)
      const used = own ?? standIn(name)
      known.add(used)
      waiting.push({ id: used, name, isMade: own === undefined })
      return used
    },
    idOfResponse: (id, name) => {
      const own = usableId(id)
      if (own !== undefined && known.has(own)) {
        const index = waiting.findIndex((call) => call.id === own)
        return index === -1 ? own : take(index)
      }
      const index = waiting.findIndex(
        (call) => call.name === name && (own === undefined || call.isMade),
      )
      return index === -1 ? own : take(index)
    },
  }
}
