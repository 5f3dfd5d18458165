/** `ToolOutputTrimmer` of the OpenAI Agents SDK: outputs before the last turns of the user are cut to a preview. */

import { memoizeFor } from '../memoize-for'
import { countCodePoints, firstCodePoints } from '../text/span'
import { editsBefore, lastUserMessage } from './clear-results'
import { charsOf, type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { type MessageEdit, namesOf, numberOf, type Settings } from './mechanism'
import { defineStateless } from './mechanism-table'

export const openaiAgentsTrim = defineStateless(
  'openai-agents-trim',
  ({ history, end }, settings) => {
    const boundary = lastUserMessage(history, end, numberOf(settings, 'recent_turns')) ?? 0
    return editsBefore(trimmedResults(history, settings), boundary)
  },
)

/** The results that can be trimmed, and what they become. */
function trimmedResults(history: SessionHistory, settings: Settings) {
  const tools = namesOf(settings, 'trimmable_tools')
  const most = numberOf(settings, 'max_output_chars')
  const preview = numberOf(settings, 'preview_chars')
  return memoizeFor(history, `trim ${most} ${preview} ${tools.join('\n')}`, () =>
    positionsOf(history, 'tool').flatMap((at): [number, MessageEdit][] => {
      const message = history.messages[at] as HistoryMessage
      if (tools.length > 0 && !tools.includes(message.toolName ?? '')) return []
      if (charsOf(message) <= most) return []
      const content = trim(message, preview)
      return countCodePoints(content) < charsOf(message) ? [[at, { content }]] : []
    }),
  )
}

function trim(message: HistoryMessage, preview: number): string {
  const { content, toolName = 'unknown_tool' } = message
  const head = `[Trimmed: ${toolName} output — ${charsOf(message)} chars → ${preview} char preview]`
  return `${head}\n${firstCodePoints(content, preview)}...`
}
