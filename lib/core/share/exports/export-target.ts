/** Input, output and notes of an export. */

import type { Conversation } from '../../conversation/conversation'
import type { PolicyOfModel } from '../../policy/break-even'
import type { Decision } from '../../policy/decide'
import { isMaskingOff, type MaskPolicy } from '../../policy/policy'
import type { Say } from '../../words/comments'
import type exports from '../../words/exports.json'

export interface ExportInput {
  readonly policy: PolicyOfModel
  /** The conversation shown, used to convert turns to results and to tell which results are cleared. */
  readonly shown:
    | {
        readonly conversation: Pick<Conversation, 'results' | 'calls' | 'turnCount' | 'messages'>
        readonly decisions: readonly Decision[]
      }
    | undefined
  /** Name of the transcript's file, for the command line. */
  readonly fileName: string
  /** Address of the site, which has the package; without a slash at the end. */
  readonly site: string
  /** Address of the provider's API, for the proxy. */
  readonly provider: string
}

/** A difference between a target and the policy, by the key of its sentence. */
export interface ExportNote {
  readonly code: keyof typeof exports.notes
  readonly values: Readonly<Record<string, string | number>>
}

export interface Exported {
  readonly text: string
  readonly notes: readonly ExportNote[]
  /** Indices of the results of the conversation shown that the target clears; undefined if unknown. */
  readonly cleared: ReadonlySet<number> | undefined
}

/** Writes an export without its header; `say` gives the comments. */
export type WriteExport = (input: ExportInput, say: Say) => Exported

/** The package is not in a registry: the build of the site writes it beside the pages. */
export function packageAddress({ site }: Pick<ExportInput, 'site'>): string {
  return `${site}/observation-masking.tgz`
}

export function note(code: ExportNote['code'], values: ExportNote['values'] = {}): ExportNote {
  return { code, values }
}

/** Indices of the results that the policy masks. */
export function maskedBy({ shown }: ExportInput): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  return new Set(shown.decisions.flatMap(({ action }, index) => (action === 'mask' ? [index] : [])))
}

/** What programs can lack, and the values of its sentence; undefined if the policy does not need it. */
const LACKS = {
  no_batch: ({ batchTurns: batch }) => (batch !== 'auto' && batch > 1 ? { batch } : undefined),
  no_break_even: ({ batchTurns }) => (batchTurns === 'auto' ? {} : undefined),
  tags_calls: ({ excludeTools }) => (excludeTools.length > 0 ? {} : undefined),
  no_exclude: ({ excludeTools }) => (excludeTools.length > 0 ? {} : undefined),
  errors_cleared: ({ keepErrors, errorRules, errorPatterns }) =>
    keepErrors && errorRules.length + errorPatterns.length > 0 ? {} : undefined,
  no_last_k: ({ keepLastKPerTool: k }) => (k > 0 ? { k } : undefined),
  no_trigger: ({ triggerTokens: tokens }) => (tokens > 0 ? { tokens } : undefined),
  trigger_estimated: ({ triggerTokens: tokens }) => (tokens > 0 ? { tokens } : undefined),
  no_never_grow: ({ neverGrow }) => (neverGrow ? {} : undefined),
} satisfies {
  [Code in ExportNote['code']]?: (policy: MaskPolicy) => ExportNote['values'] | undefined
}

/** The notes on what a program lacks and the policy needs. */
export function lackNotes(policy: MaskPolicy, ...codes: (keyof typeof LACKS)[]): ExportNote[] {
  return codes.flatMap((code) => {
    const values = LACKS[code](policy)
    return values === undefined ? [] : [note(code, values)]
  })
}

/** An export for a program that masks by itself; `off` are its settings if the policy masks nothing. */
export function vendorExport(off: (say: Say) => string, write: WriteExport): WriteExport {
  return (input, say) =>
    isMaskingOff(input.policy)
      ? { text: off(say), notes: [note('off')], cleared: new Set() }
      : write(input, say)
}
