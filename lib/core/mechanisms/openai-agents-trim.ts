/** `ToolOutputTrimmer` of the OpenAI Agents SDK: outputs before the last turns of the user are cut to a preview. */
import { lastUserMessage, resultsBefore } from './clear-results'
import type { HistoryMessage } from './history'
import { type Becomes, type Mechanism, namesOf, numberOf } from './mechanism'

export const openaiAgentsTrim: Mechanism<null> = {
  id: 'openai-agents-trim',
  rows: [
    { key: 'recent_turns', value: 2, tried: [1, 2, 3], least: 1 },
    { key: 'max_output_chars', value: 500, tried: [200, 500, 2_000], least: 1 },
    { key: 'preview_chars', value: 200, tried: [0, 200, 500] },
    { key: 'trimmable_tools', value: [] },
  ],
  source: {
    url: 'https://github.com/openai/openai-agents-python/blob/7f7a44f8dc0650296bd5ab6c745c9bcbaa6ac3b7/src/agents/extensions/tool_output_trimmer.py',
    read: '2026-11',
  },
  start: null,
  step: ({ history, end }, state, settings) => {
    const boundary = lastUserMessage(history, end, numberOf(settings, 'recent_turns')) ?? 0
    const tools = namesOf(settings, 'trimmable_tools')
    const picture = new Map<number, Becomes>()
    for (const at of resultsBefore(history, boundary)) {
      const { content, toolName } = history.messages[at] as HistoryMessage
      if (tools.length > 0 && !tools.includes(toolName ?? '')) continue
      const chars = [...content]
      if (chars.length <= numberOf(settings, 'max_output_chars')) continue
      const preview = numberOf(settings, 'preview_chars')
      const head = `[Trimmed: ${toolName ?? 'unknown_tool'} output — ${chars.length} chars → ${preview} char preview]`
      const cut = `${head}\n${chars.slice(0, preview).join('')}...`
      if ([...cut].length < chars.length) picture.set(at, { content: cut })
    }
    return { state, picture }
  },
}
