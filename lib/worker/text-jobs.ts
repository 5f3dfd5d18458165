/** Jobs on a text that is not the open document. */
import { recogniseCopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import { readDocument } from '@/lib/core/formats/read-document'
import { repairArguments } from '@/lib/core/repair/repair-arguments'
import type { RepairOptions, RepairSettings } from '@/lib/core/repair/repair-limits'
import { measureRepairs } from '@/lib/core/repair/repair-metrics'

/** The layout of a text that is a whole document; undefined if it is none, or one message alone. */
export function recogniseDocument(text: string) {
  try {
    const { source, evidence, conversations } = readDocument(
      recogniseCopiedRequests(text)?.body ?? text,
    )
    const isList = evidence.shape === 'message_lines' || evidence.shape === 'message_array'
    const { length: messages } = conversations.flatMap((conversation) => conversation.messages)
    return isList && messages < 2 ? undefined : { layout: source.layout }
  } catch {
    return undefined
  }
}

/** Arguments that a user typed, and their repair. */
export type TriedRepair = ReturnType<typeof tryRepair>

export function tryRepair(text: string, options: RepairOptions) {
  const repair = repairArguments(text, options)
  const metrics = measureRepairs(0, [repair])
  // The parsed value may be large, and the page does not need it.
  const { value: _, ...result } = repair
  return { text, result, metrics }
}

/** Options of a repair in this thread. */
export function withClock(settings: RepairSettings): RepairOptions {
  return { ...settings, now: () => performance.now() }
}
