/** `ToolOutputTrimmer` of the OpenAI Agents SDK: outputs before the last turns of the user are cut to a preview. */

import { countCodePoints, firstCodePoints } from '../text/span'
import { editsBefore, lastUserMessage, resultEdits } from './clear-results'
import { charsOf } from './history'
import { namesOf, numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const openaiAgentsTrim = defineStateless(
  'openai-agents-trim',
  ({ history, end }, settings) => {
    const tools = namesOf(settings, 'trimmable_tools')
    const most = numberOf(settings, 'max_output_chars')
    const preview = numberOf(settings, 'preview_chars')
    const key = `trim ${most} ${preview} ${tools.join('\n')}`
    const all = resultEdits(history, key, (message) => {
      if (tools.length > 0 && !tools.includes(message.toolName ?? '')) return undefined
      if (charsOf(message) <= most) return undefined
      const { content, toolName = 'unknown_tool' } = message
      const head = `[Trimmed: ${toolName} output — ${charsOf(message)} chars → ${preview} char preview]`
      const trimmed = `${head}\n${firstCodePoints(content, preview)}...`
      return countCodePoints(trimmed) < charsOf(message) ? trimmed : undefined
    })
    const boundary = lastUserMessage(history, end, numberOf(settings, 'recent_turns')) ?? 0
    return editsBefore(all, boundary)
  },
)
