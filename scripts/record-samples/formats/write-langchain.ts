import { derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedSession } from './recorded-session'

const MODEL = 'gpt-5'

type Type = 'system' | 'human' | 'ai' | 'tool'

const CLASSES: Readonly<Record<Type, string>> = {
  system: 'SystemMessage',
  human: 'HumanMessage',
  ai: 'AIMessage',
  tool: 'ToolMessage',
}

interface LangchainMessage {
  readonly type: Type
  readonly fields: Readonly<Record<string, unknown>>
}

/** A list of messages as langchain_core's `dumps` writes it. */
export const langchainSerialised: FormatWriter = {
  format: 'langchain',
  file: 'serialised.json',
  write: (session) =>
    written(
      messagesOf(session).map(({ type, fields }) => ({
        lc: 1,
        type: 'constructor',
        id: ['langchain', 'schema', 'messages', CLASSES[type]],
        kwargs: { ...fields, type },
      })),
    ),
}

/** A list of messages as langchain_core's `messages_to_dict` and message histories write it. */
export const langchainStored: FormatWriter = {
  format: 'langchain',
  file: 'stored-messages.json',
  write: (session) =>
    written(messagesOf(session).map(({ type, fields }) => ({ type, data: { ...fields, type } }))),
}

/** The answer of LangGraph's `GET /threads/{id}/state`. */
export const langgraphThread: FormatWriter = {
  format: 'langchain',
  file: 'langgraph-thread.json',
  write: (session) => {
    const messages = messagesOf(session).map(({ type, fields }) => ({ ...fields, type }))
    const threadId = derivedUuid('langgraph thread')
    const checkpoint = (step: number) => ({
      thread_id: threadId,
      checkpoint_ns: '',
      checkpoint_id: derivedUuid(`langgraph checkpoint ${step}`),
    })
    const step = messages.length - 2
    return written({
      values: { messages },
      next: [],
      tasks: [],
      metadata: { source: 'loop', step, parents: {}, thread_id: threadId, graph_id: 'agent' },
      created_at: new Date(session.startedAt + messages.length * 1000).toISOString(),
      checkpoint: checkpoint(step),
      parent_checkpoint: checkpoint(step - 1),
      interrupts: [],
    })
  },
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function messagesOf({ system, messages }: RecordedSession): LangchainMessage[] {
  const first: LangchainMessage = { type: 'system', fields: fieldsOf('system', system) }
  return [first, ...messages.map(messageOf)]
}

function fieldsOf(id: string, content: unknown): Record<string, unknown> {
  const uuid = derivedUuid(`langchain ${id}`)
  return { content, additional_kwargs: {}, response_metadata: {}, name: null, id: uuid }
}

function messageOf(message: RecordedMessage, index: number): LangchainMessage {
  switch (message.role) {
    case 'user':
      return { type: 'human', fields: fieldsOf(String(index), message.text) }
    case 'assistant': {
      const { text, calls } = message
      const fields = {
        ...fieldsOf(String(index), text),
        response_metadata: {
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
          model_name: MODEL,
        },
        id: `lc_run--${derivedUuid(`langchain ${index}`)}`,
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          name,
          args,
          id,
          type: 'tool_call',
        })),
        invalid_tool_calls: [],
        usage_metadata: null,
      }
      return { type: 'ai', fields }
    }
    case 'tool': {
      const { parts, callId, toolName, isError } = message.result
      const [only, ...more] = parts
      const content = more.length === 0 ? only : parts.map((text) => ({ type: 'text', text }))
      const fields = {
        ...fieldsOf(String(index), content),
        name: toolName,
        tool_call_id: callId,
        artifact: null,
        status: isError ? 'error' : 'success',
      }
      return { type: 'tool', fields }
    }
  }
}
