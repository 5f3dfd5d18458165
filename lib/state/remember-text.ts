import { lineEdits } from '@/lib/core/text/edits'
import type { Edit } from '@/lib/core/text/span'
import { editNext, rememberSource, sizeOfEdits } from './document/remembered-source'
import type { TextStep } from './document/text-steps'
import { type History, limitHistory, remember } from './history'
import type { Snapshot } from './policy/policy-slice'
import type { PlaygroundState } from './store'

/** Limit on what the steps hold, in UTF-16 units: about six versions of a text of 10 MB, or one of 50 MB. */
const MAX_CHARS_REMEMBERED = 60_000_000

/**
 * The undo history after a change of the source text. `edits` turn the text before into `next`, if they are known.
 * Holds equal texts once, and drops the oldest steps over the limit.
 */
export function rememberText(
  { history, policy, source }: Pick<PlaygroundState, 'history' | 'policy' | 'source'>,
  next: string,
  label: TextStep,
  gesture?: string,
  edits: readonly Edit[] = lineEdits(source.text, next),
): History<Snapshot> {
  const before = rememberSource(source, next, edits)
  const { text } = before
  const held = typeof text === 'string' ? fullTextsOf(history).find((full) => full === text) : text
  const merge = ({ policy, source: earlier }: Snapshot) => ({
    policy,
    source: editNext(earlier, source.text, edits),
  })
  const snapshot = { policy, source: { ...before, text: held ?? text } }
  const changed = remember(history, snapshot, label, gesture, merge)
  return limitHistory(changed, sizeOfStep, MAX_CHARS_REMEMBERED)
}

/** The same text as an object that the page holds already, if it does. */
export function sharedText(
  text: string,
  { source, history }: Pick<PlaygroundState, 'source' | 'history'>,
): string {
  return [source.text, ...fullTextsOf(history)].find((held) => held === text) ?? text
}

function fullTextsOf({ past }: History<Snapshot>): string[] {
  const texts = past.map(({ snapshot }) => snapshot.source.text)
  return texts.filter((text) => typeof text === 'string')
}

/** What a step holds, in UTF-16 units; steps with the same key hold it together. */
function sizeOfStep({ source: { text } }: Snapshot) {
  return { key: text, size: typeof text === 'string' ? text.length : sizeOfEdits(text) }
}
