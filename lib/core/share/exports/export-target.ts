/** Input and output of an export. */
import type { PolicyOfModel } from '../../policy/break-even'
import type { Say } from '../../words/comments'

export interface ExportInput {
  readonly policy: PolicyOfModel
  /** Name of the transcript's file, for the command line. */
  readonly fileName: string
  /** Address of the site, which has the package; without a slash at the end. */
  readonly site: string
  /** Address of the provider's API, for the proxy. */
  readonly provider: string
}

/** Writes an export without its header; `say` gives the comments. It masks exactly as the policy does. */
export type WriteExport = (input: ExportInput, say: Say) => string

/** The package is not in a registry: the build of the site writes it beside the pages. */
export function packageAddress({ site }: Pick<ExportInput, 'site'>): string {
  return `${site}/observation-masking.tgz`
}
