import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { usePaused } from '../use-events'

/** Classes of changes. */
export const TONES = { good: 'text-good', warn: 'text-warn', plain: 'text-soft' }

/** A decrease is good. */
export function toneOf(change: BeforeAfter | undefined): keyof typeof TONES {
  if (change === undefined || change.after === change.before) return 'plain'
  return change.after < change.before ? 'good' : 'warn'
}

/** Announces a sentence to screen readers once it stops changing. */
export function Announcement({ sentence }: { readonly sentence: string }) {
  const said = usePaused(sentence, '')
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}

/** Input cost with caching, in dollars; undefined if a price is unknown. */
export function moneyOf({ before, after }: ReplayFigures): BeforeAfter | undefined {
  const [first, second] = [before.costs.cached, after.costs.cached]
  return first === undefined || second === undefined ? undefined : { before: first, after: second }
}
