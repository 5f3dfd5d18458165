import type { Reason } from '../core/policy/decide'
import { inEnglish } from '../core/words/english'
import { phrase } from '../core/words/words'
import type { MaskReport } from './mask-request'

const SIGNED_SETTING = 'before_signed_thinking = "mask"'

/** Reasons that a setting can lift where nothing else is masked, and the setting. */
const LIFTED_BY: Readonly<Partial<Record<Reason, string>>> = {
  non_text: 'text_parts = true masks lists of texts',
  no_call_id: 'link_by_order = true links results without ids',
  kept_error: 'keep_errors and error_rules say what an error is',
  excluded_tool: 'exclude_tools names their tools',
  would_grow: 'never_grow keeps results shorter than their placeholder',
}

/**
 * Returns a function that warns of what a request keeps, each kind once: of results before signed thinking, and of a
 * request in which results are older than the window and none is masked.
 */
export function createKeptWarnings(warn: (sentence: string) => void) {
  const said = new Set<string>()
  const once = (kind: string, sentence: string) => {
    if (!said.has(kind)) warn(sentence)
    said.add(kind)
  }
  return ({ maskedResults, reasons }: Pick<MaskReport, 'maskedResults' | 'reasons'>): void => {
    const { before_signed_thinking: signed = 0, ...others } = reasons
    if (signed > 0)
      once('signed', inEnglish(phrase('kept_signed', { n: signed, setting: SIGNED_SETTING })))
    const older = Object.entries(others).filter(
      ([reason]) => !['in_window', 'below_trigger', 'disabled', 'already_masked'].includes(reason),
    )
    if (maskedResults > 0 || older.length === 0) return
    const kept = older.map(([reason, count]) => `${count} ${reason}`).join(', ')
    const lifted = older.flatMap(([reason]) => LIFTED_BY[reason as Reason] ?? [])
    const hint = lifted.length === 0 ? '' : ` ${lifted.join('; ')}.`
    once('nothing', `Nothing is masked, though results are older than the window: ${kept}.${hint}`)
  }
}
