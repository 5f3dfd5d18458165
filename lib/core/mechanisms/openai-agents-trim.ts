/** `ToolOutputTrimmer` of the OpenAI Agents SDK: outputs before the last turns of the user are cut to a preview. */

import { memoizeFor } from '../memoize-for'
import { countCodePoints } from '../text/span'
import { lastUserMessage, resultsBefore } from './clear-results'
import { charsOf, type HistoryMessage } from './history'
import { type MessageEdit, namesOf, numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const openaiAgentsTrim = defineStateless(
  'openai-agents-trim',
  ({ history, end }, settings) => {
    const boundary = lastUserMessage(history, end, numberOf(settings, 'recent_turns')) ?? 0
    const tools = namesOf(settings, 'trimmable_tools')
    const edits = new Map<number, MessageEdit>()
    const most = numberOf(settings, 'max_output_chars')
    const preview = numberOf(settings, 'preview_chars')
    for (const at of resultsBefore(history, boundary)) {
      const message = history.messages[at] as HistoryMessage
      if (tools.length > 0 && !tools.includes(message.toolName ?? '')) continue
      if (charsOf(message) <= most) continue
      const trimmed = memoizeFor(message, `trim ${preview}`, () => ({
        content: trim(message, preview),
      }))
      if (countCodePoints(trimmed.content) < charsOf(message)) edits.set(at, trimmed)
    }
    return edits
  },
)

function trim({ content, toolName = 'unknown_tool' }: HistoryMessage, preview: number): string {
  const chars = [...content]
  const head = `[Trimmed: ${toolName} output — ${chars.length} chars → ${preview} char preview]`
  return `${head}\n${chars.slice(0, preview).join('')}...`
}
