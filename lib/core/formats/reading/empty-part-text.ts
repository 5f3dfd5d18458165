import type { RawText } from '../../conversation/link-messages'

/** Replaces every text block but the first of a masked result, since APIs refuse an empty block. */
export const EMPTY_PART_TEXT = '…'

/** Returns the texts without those that masking left as fillers; the first always stays. */
export function withoutEmptyParts(texts: readonly RawText[]): RawText[] {
  return texts.filter(({ text }, index) => index === 0 || text !== EMPTY_PART_TEXT)
}
