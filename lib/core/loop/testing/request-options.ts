import { STYLE_MESSAGES } from '../loop-texts'
import { DEFAULT_HISTORY_MESSAGES } from '../next-request'

export const OPTIONS = {
  style: STYLE_MESSAGES.en,
  historyMessages: DEFAULT_HISTORY_MESSAGES,
  model: 'gpt-5',
}

/** The ids of the calls of a message. */
export function idsOf(message: object): unknown[] {
  const { tool_calls: calls } = message as { tool_calls?: { id: unknown }[] }
  return (calls ?? []).map(({ id }) => id)
}
