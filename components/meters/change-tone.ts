import type { BeforeAfter } from '@/lib/core/mask/measure-request'

export type ChangeTone = 'good' | 'warn' | 'plain'

/** A decrease is good. */
export function toneOf(change: BeforeAfter | undefined): ChangeTone {
  if (change === undefined || change.after === change.before) return 'plain'
  return change.after < change.before ? 'good' : 'warn'
}
