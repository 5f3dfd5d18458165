import { writeString } from '../text/embedded-json'
import type { Edit } from '../text/span'
import type { BrokenCall } from './repair-document'

/** The edits of the source that put the repaired arguments in place, ascending; nothing else of it changes. */
export function repairEdits(
  calls: readonly Pick<BrokenCall, 'place' | 'result'>[],
): readonly Edit[] {
  return calls
    .filter(({ result }) => result.state === 'repaired')
    .map(({ place: { start, end, encoded }, result }) => ({
      start,
      end,
      text: writeString(result.text, encoded),
    }))
    .sort((a, b) => a.start - b.start)
}
