/** Input, output and notes of an export. */

import type { Conversation } from '../../conversation/conversation'
import type { PolicyOfModel } from '../../policy/break-even'
import type { Decision } from '../../policy/decide'
import type { Say } from '../../words/comments'
import type exports from '../../words/exports.json'

export interface ExportInput {
  readonly policy: PolicyOfModel
  /** The conversation shown, to tell which results are cleared. */
  readonly shown:
    | {
        readonly conversation: Pick<Conversation, 'results'>
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
