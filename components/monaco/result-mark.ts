/** How the panes mark a result. */
import type { Reason } from '@/lib/core/policy/decide'
import type { Pane } from './editor-session'

export type Mark = 'masked' | 'kept' | 'window' | 'broken' | 'none'

/** The mark of a result; none if masking is off. */
export const MARK_OF: Readonly<Record<Reason, Mark>> = {
  masked: 'masked',
  in_window: 'window',
  orphan: 'broken',
  no_call_id: 'broken',
  before_signed_thinking: 'kept',
  excluded_tool: 'kept',
  kept_last_k: 'kept',
  kept_error: 'kept',
  non_text: 'kept',
  already_masked: 'kept',
  would_grow: 'kept',
  disabled: 'none',
  below_trigger: 'none',
}

/** The class of a result's text in a pane; undefined if it looks as any other text. */
export function textMark(mark: Mark, pane: Pane): string | undefined {
  if (mark === 'masked') return `mark-text-${pane === 'output' ? 'placeholder' : 'faded'}`
  return mark === 'kept' && pane === 'output' ? 'mark-text-kept' : undefined
}
