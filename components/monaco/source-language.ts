import type { PlaygroundState } from '@/lib/state/store'
import { CHECKED_JSON, UNCHECKED_JSON } from './setup'

/** Above this the checks of the JSON worker cost more memory than they are worth; the reading finds errors too. */
const MOST_CHECKED = 4_000_000

/**
 * The language of the source pane: checked only where the text is meant as one JSON document.
 * Undefined while that is not known: what was shown stays.
 */
export function sourceLanguage({ source, read, reading }: PlaygroundState): string | undefined {
  if (source.text.length > MOST_CHECKED) return UNCHECKED_JSON
  if (reading.state === 'failed') {
    const { code } = reading.problem
    return code === 'invalid_json' || code === 'truncated_json' ? CHECKED_JSON : UNCHECKED_JSON
  }
  if (read?.source.id !== source.id)
    return source.origin.kind === 'typed' ? undefined : UNCHECKED_JSON
  return read.model.layout === 'json' ? CHECKED_JSON : UNCHECKED_JSON
}
