import { toolSchemas } from '../tool-schemas'
import type { FormatWriter } from './format-writer'
import type { RecordedResult, RecordedSession } from './recorded-session'

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly object[]
}

/** A request body with system prompt and tools; the last blocks have cache markers, as agents set them. */
export const anthropicBody: FormatWriter = {
  format: 'anthropic-messages',
  file: 'request-body.json',
  write: (session: RecordedSession) => {
    const cache_control = { type: 'ephemeral' }
    const tools = Object.values(toolSchemas).map((schema) => {
      const { name, description, parameters } = (schema as { readonly function: ToolSchema })
        .function
      return { name, description, input_schema: parameters }
    })
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 8192,
      system: [{ type: 'text', text: session.system, cache_control }],
      tools,
      messages: anthropicMessagesOf(session),
    }
    return `${JSON.stringify(body, null, 2)}\n`
  },
}

/** The messages alone, one per line, as agents append them to a log. */
export const anthropicLines: FormatWriter = {
  format: 'anthropic-messages',
  file: 'message-lines.jsonl',
  write: (session: RecordedSession) =>
    `${anthropicMessagesOf(session)
      .map((message) => JSON.stringify(message))
      .join('\n')}\n`,
}

interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/** The recorded messages; the results of one turn are in one user message. */
export function anthropicMessagesOf({ messages }: RecordedSession): AnthropicMessage[] {
  const written: AnthropicMessage[] = []
  let results: object[] = []
  const endTurn = () => {
    if (results.length > 0) written.push({ role: 'user', content: results })
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(writeResult(message.result))
      continue
    }
    endTurn()
    if (message.role === 'user') {
      written.push({ role: 'user', content: message.text })
      continue
    }
    const text = message.text === '' ? [] : [{ type: 'text', text: message.text }]
    const calls = message.calls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use',
      id: anthropicId(id),
      name,
      input,
    }))
    written.push({ role: 'assistant', content: [...text, ...calls] })
  }
  endTurn()
  return written
}

/** A result with one part is a string; with several, a list of text blocks. */
function writeResult({ callId, parts, isError }: RecordedResult): object {
  const [only] = parts
  const content = parts.length === 1 ? only : parts.map((text) => ({ type: 'text', text }))
  const block = { type: 'tool_result', tool_use_id: anthropicId(callId), content }
  return isError ? { ...block, is_error: true } : block
}

function anthropicId(id: string): string {
  return id.replace(/^call_/, 'toolu_')
}
