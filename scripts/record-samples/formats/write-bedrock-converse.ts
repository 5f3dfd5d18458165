import { toolSchemas } from '../tool-schemas'
import type { FormatWriter } from './format-writer'
import type { RecordedResult, RecordedSession } from './recorded-session'

interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: object
}

/** A request with system prompt and tools; the prefix has a cache point, as agents set it. */
export const bedrockBody: FormatWriter = {
  format: 'bedrock-converse',
  file: 'request-body.json',
  write: (session: RecordedSession) => {
    const cachePoint = { type: 'default' }
    const tools = Object.values(toolSchemas).map((schema) => {
      const { name, description, parameters } = (schema as { readonly function: ToolSchema })
        .function
      return { toolSpec: { name, description, inputSchema: { json: parameters } } }
    })
    const body = {
      modelId: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      system: [{ text: session.system }, { cachePoint }],
      messages: messagesOf(session),
      inferenceConfig: { maxTokens: 8192 },
      toolConfig: { tools: [...tools, { cachePoint }] },
    }
    return `${JSON.stringify(body, null, 2)}\n`
  },
}

/** The results of one turn are in one user message. */
function messagesOf({ messages }: RecordedSession): object[] {
  const written: object[] = []
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
    const text = message.text === '' ? [] : [{ text: message.text }]
    if (message.role === 'user') {
      written.push({ role: 'user', content: text })
      continue
    }
    const calls = message.calls.map(({ id, name, arguments: input }) => ({
      toolUse: { toolUseId: bedrockId(id), name, input },
    }))
    written.push({ role: 'assistant', content: [...text, ...calls] })
  }
  endTurn()
  return written
}

function writeResult({ callId, parts, isError }: RecordedResult): object {
  const content = parts.map((text) => ({ text }))
  const status = isError ? 'error' : 'success'
  return { toolResult: { toolUseId: bedrockId(callId), content, status } }
}

function bedrockId(id: string): string {
  return id.replace(/^call_/, 'tooluse_')
}
