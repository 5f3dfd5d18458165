import type { UnansweredCall } from '@/lib/core/loop/next-request'

/** An editable call of the batch. */
export interface RunCall {
  /** Unique in the list. */
  readonly key: number
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** True if the list has exactly the calls of a turn. */
export function isSameBatch(calls: readonly RunCall[], turn: readonly UnansweredCall[]): boolean {
  return (
    calls.length === turn.length &&
    calls.every((call, at) => {
      const other = turn[at]
      return (
        other !== undefined &&
        call.id === other.id &&
        call.name === other.name &&
        call.arguments === other.arguments
      )
    })
  )
}

/** An id that no call of the list has. */
export function freeId(calls: readonly RunCall[]): string {
  const ids = new Set(calls.map(({ id }) => id))
  let number = 1
  while (ids.has(`call_${number}`)) number++
  return `call_${number}`
}
