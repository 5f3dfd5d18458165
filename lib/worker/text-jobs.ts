/** Jobs on a text that is not the open document. */
import { recogniseCopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import { type ReadDocument, readDocument } from '@/lib/core/formats/read-document'
import { type RepairResult, repairArguments } from '@/lib/core/repair/repair-arguments'
import type { RepairOptions, RepairSettings } from '@/lib/core/repair/repair-limits'
import { measureRepairs, type RepairMetrics } from '@/lib/core/repair/repair-metrics'

export interface TextJobs {
  /** Tells whether a text is a whole document; undefined if it is none, or one message alone. */
  recognise: {
    input: { readonly text: string }
    output: RecognisedDocument | undefined
    failure: never
  }
  /** Repairs arguments that a user typed. */
  tryRepair: {
    input: { readonly text: string; readonly settings: RepairSettings }
    output: TriedRepair
    failure: never
  }
}

export interface RecognisedDocument {
  readonly layout: ReadDocument['source']['layout']
}

/** Arguments that a user typed, and their repair. */
export interface TriedRepair {
  readonly text: string
  readonly result: Omit<RepairResult, 'value'>
  readonly metrics: RepairMetrics
}

export function recogniseDocument(text: string): RecognisedDocument | undefined {
  try {
    const { source, evidence, conversations } = readDocument(
      recogniseCopiedRequests(text)?.body ?? text,
    )
    const isList = evidence.shape === 'message_lines' || evidence.shape === 'message_array'
    const messages = conversations.reduce(
      (sum, conversation) => sum + conversation.messages.length,
      0,
    )
    return isList && messages < 2 ? undefined : { layout: source.layout }
  } catch {
    return undefined
  }
}

export function tryRepair(text: string, options: RepairOptions): TriedRepair {
  const repair = repairArguments(text, options)
  const metrics = measureRepairs(0, [repair])
  // The parsed value may be large, and the page does not need it.
  const { value: _, ...result } = repair
  return { text, result, metrics }
}
