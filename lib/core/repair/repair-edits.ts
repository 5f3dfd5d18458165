import { writeEmbeddedString } from '../text/embedded-json'
import type { Edit } from '../text/span'
import type { BrokenCall } from './repair-document'

/** Returns the edits that write the repaired arguments into the source, in ascending order. */
export function repairEdits(
  calls: readonly Pick<BrokenCall, 'span' | 'result'>[],
): readonly Edit[] {
  return calls
    .filter(({ result }) => result.state === 'repaired' && result.isObject)
    .map(({ span: { start, end, encoded }, result }) => ({
      start,
      end,
      text: writeEmbeddedString(result.text, encoded),
    }))
    .sort((a, b) => a.start - b.start)
}
