import { toolSchemas } from '../tool-schemas'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedResult, RecordedSession } from './recorded-session'

/** A request body from a client that does not use stored responses: items unchanged, outputs as texts. */
export const responsesBody: FormatWriter = {
  format: 'openai-responses',
  file: 'request-body.json',
  write: (session: RecordedSession) => {
    const tools = Object.values(toolSchemas).map((schema) => {
      const { type, function: definition } = schema as FunctionSchema
      return { type, ...definition, strict: false }
    })
    const body = {
      model: 'gpt-5',
      instructions: session.system,
      input: session.messages.flatMap((message, index) => itemsOf(message, index, writeResult)),
      tools,
      parallel_tool_calls: true,
      store: false,
    }
    return `${JSON.stringify(body, null, 2)}\n`
  },
}

/** Items alone, one per line: outputs are lists of parts, file changes use custom tools with plain-text input. */
export const responsesLines: FormatWriter = {
  format: 'openai-responses',
  file: 'item-lines.jsonl',
  write: ({ system, messages }: RecordedSession) => {
    const custom = new Set<string>()
    const items = messages
      .flatMap((message, index) => itemsOf(message, index, writeParts))
      .map((item) => asCustomTool(item, custom))
    const first = {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: system }],
    }
    return [first, ...items].map((item) => `${JSON.stringify(item)}\n`).join('')
  },
}

export type ResponseItem = Readonly<Record<string, unknown>>

interface FunctionSchema {
  readonly type: string
  readonly function: object
}

/** The items of one recorded message; item ids are derived from its index. */
export function itemsOf(
  message: RecordedMessage,
  index: number,
  writeOutput: (result: RecordedResult) => unknown,
): ResponseItem[] {
  switch (message.role) {
    case 'user':
      return [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: message.text }] },
      ]
    case 'assistant': {
      const text = {
        type: 'message',
        id: `msg_${index}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: message.text, annotations: [] }],
      }
      const calls = message.calls.map(({ id, name, arguments: written }, at) => ({
        type: 'function_call',
        id: `fc_${index}_${at}`,
        call_id: id,
        name,
        arguments: JSON.stringify(written),
        status: 'completed',
      }))
      return message.text === '' ? calls : [text, ...calls]
    }
    case 'tool': {
      const { result } = message
      return [{ type: 'function_call_output', call_id: result.callId, output: writeOutput(result) }]
    }
  }
}

export function writeResult({ parts }: RecordedResult): string {
  return parts.join('\n')
}

function writeParts({ parts }: RecordedResult): object[] {
  return parts.map((text) => ({ type: 'input_text', text }))
}

function asCustomTool(item: ResponseItem, custom: Set<string>): ResponseItem {
  const { type, name, call_id: id, arguments: written, ...rest } = item
  if (type === 'function_call' && (name === 'write_file' || name === 'edit_file')) {
    custom.add(id as string)
    const values = Object.values(JSON.parse(written as string) as Record<string, string>)
    return { type: 'custom_tool_call', call_id: id, name, input: values.join('\n'), ...rest }
  }
  if (type !== 'function_call_output' || !custom.has(id as string)) return item
  return { ...item, type: 'custom_tool_call_output' }
}
