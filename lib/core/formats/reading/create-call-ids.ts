import { nonEmptyString } from '../../conversation/link-messages'

/** Assigns ids to calls and responses that have none. Its methods are called in the order of the conversation. */
export type CallIds = ReturnType<typeof createCallIds>

/** Matches by name where a document has no ids: a response answers the first open call with its name. */
export function createCallIds() {
  const known = new Set<string>()
  const made = new Map<string, number>()
  let open: { readonly id: string; readonly name: unknown; readonly isMade: boolean }[] = []

  const makeId = (name: unknown): string => {
    const stem = nonEmptyString(name) ?? 'function'
    let count = made.get(stem) ?? 0
    do count++
    while (known.has(`${stem}-${count}`))
    made.set(stem, count)
    return `${stem}-${count}`
  }
  const close = (index: number): string | undefined => open.splice(index, 1)[0]?.id

  return {
    /** Starts an answer of the model; calls of earlier answers can no longer be matched by name. */
    startTurn: () => {
      open = []
    },
    /** Returns the call's id, or one made of its name and its number among such calls: `read_file-2`. */
    idOfCall: (id: unknown, name: unknown): string => {
      const written = nonEmptyString(id)
      const used = written ?? makeId(name)
      known.add(used)
      open.push({ id: used, name, isMade: written === undefined })
      return used
    },
    /** Returns the id of the call that a response answers, the first open one if it names none; undefined when none is open. */
    idOfResponse: (id: unknown, name: unknown): string | undefined => {
      const written = nonEmptyString(id)
      if (written !== undefined && known.has(written)) {
        const index = open.findIndex((call) => call.id === written)
        return index === -1 ? written : close(index)
      }
      const index = open.findIndex(
        (call) =>
          (name === undefined || call.name === name) && (written === undefined || call.isMade),
      )
      return index === -1 ? written : close(index)
    },
  }
}
