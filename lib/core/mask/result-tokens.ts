import type { ToolResult } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import type { Decision } from '../policy/decide'
import type { BeforeAfter } from './measure-request'

/** Tokens of one result, before and after its decision: of its text alone, without the overhead of its message. */
export interface ResultTokens extends BeforeAfter {
  /** True if a number is characters / 4, because it is not counted yet. */
  readonly isEstimated: boolean
}

const CHARS_PER_TOKEN = 4

/** An estimate for texts that are not counted yet. */
export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/** The tokens of a result, for every view. `counted` and `placeholderTokens` are undefined until counted. */
export function resultTokens(
  { chars }: Pick<ToolResult, 'chars'>,
  decision: Pick<Decision, 'placeholder'> | undefined,
  counted: number | undefined,
  placeholderTokens: number | undefined,
): ResultTokens {
  const before = counted ?? estimateTokens(chars)
  const placeholder = decision?.placeholder
  if (placeholder === undefined) {
    return { before, after: before, isEstimated: counted === undefined }
  }
  const after = placeholderTokens ?? estimateTokens(countCodePoints(placeholder))
  return { before, after, isEstimated: counted === undefined || placeholderTokens === undefined }
}
