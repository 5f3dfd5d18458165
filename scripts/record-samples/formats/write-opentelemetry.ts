import { firstCalls } from './adapt-session'
import { derivedHex } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedSession } from './recorded-session'
import { chatMessage } from './write-openai-chat'

const MODEL = 'gpt-5'

const WRITES = {
  because:
    'every request repeats all before it, and those of the whole session would fill a megabyte',
  adapt: firstCalls(8),
}

/** Spans as an OTLP exporter sends them: messages are JSON in a string. */
export const opentelemetryOtlp: FormatWriter = {
  format: 'opentelemetry',
  file: 'otlp.json',
  isLog: true,
  writes: WRITES,
  write: (session) => {
    const spans = spansOf(session).map(({ attributes, startedAt, ...span }) => ({
      ...span,
      kind: 3,
      startTimeUnixNano: `${startedAt}000000`,
      endTimeUnixNano: `${startedAt + 900}000000`,
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
      })),
      status: {},
    }))
    const scope = { name: 'opentelemetry.instrumentation.openai_v2', version: '2.3b0' }
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'docs' } }] }
    return written({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })
  },
}

/** A list of spans with attributes as an object and structured messages. */
export const opentelemetrySpans: FormatWriter = {
  format: 'opentelemetry',
  file: 'spans.json',
  isLog: true,
  writes: WRITES,
  write: (session) =>
    written(
      spansOf(session).map(({ startedAt, traceId, spanId, parentSpanId, ...span }) => ({
        ...span,
        context: { trace_id: `0x${traceId}`, span_id: `0x${spanId}`, trace_state: '[]' },
        parent_id: parentSpanId === '' ? null : `0x${parentSpanId}`,
        start_time: new Date(startedAt).toISOString(),
        end_time: new Date(startedAt + 900).toISOString(),
      })),
    ),
}

/** A trace as MLflow downloads it: a request is the input of a span, as JSON in a string. */
export const mlflowTrace: FormatWriter = {
  format: 'opentelemetry',
  file: 'mlflow-trace.json',
  isLog: true,
  writes: WRITES,
  write: (session) => {
    const spans = chatRequestsOf(session).map(({ messages, answer, startedAt, spanId }) => ({
      trace_id: derivedHex('opentelemetry trace', 32),
      span_id: spanId,
      parent_span_id: null,
      name: 'Completions',
      start_time_unix_nano: startedAt * 1_000_000,
      end_time_unix_nano: (startedAt + 900) * 1_000_000,
      events: [],
      status: { code: 'STATUS_CODE_OK', message: '' },
      attributes: {
        'mlflow.spanType': JSON.stringify('CHAT_MODEL'),
        'mlflow.spanInputs': JSON.stringify({ model: MODEL, messages }),
        'mlflow.spanOutputs': JSON.stringify({ choices: [{ message: answer }] }),
      },
    }))
    return written({ info: { trace_id: 'tr-docs', state: 'OK' }, data: { spans } })
  },
}

/** Spans as the REST interface of Phoenix lists them: the members of each message are numbered attributes. */
export const phoenixSpans: FormatWriter = {
  format: 'opentelemetry',
  file: 'phoenix-spans.json',
  isLog: true,
  writes: WRITES,
  write: (session) => {
    const data = chatRequestsOf(session).map(({ messages, answer, startedAt, spanId }) => ({
      id: spanId,
      name: 'ChatCompletion',
      context: { trace_id: derivedHex('opentelemetry trace', 32), span_id: spanId },
      span_kind: 'LLM',
      parent_id: null,
      start_time: new Date(startedAt).toISOString(),
      end_time: new Date(startedAt + 900).toISOString(),
      status_code: 'OK',
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': MODEL,
        ...numbered('llm.input_messages', messages),
        ...numbered('llm.output_messages', [answer]),
      },
    }))
    return written({ data, next_cursor: null })
  },
}

interface ChatRequest {
  readonly messages: readonly object[]
  readonly answer: object
  readonly startedAt: number
  readonly spanId: string
}

/** The requests of the session as chat completions. */
function chatRequestsOf({ system, messages, startedAt }: RecordedSession): ChatRequest[] {
  const end = WRITES.adapt({ system, messages, startedAt }).messages.length
  const chat = [{ role: 'system', content: system }, ...messages.map(chatMessage)]
  return messages.slice(0, end + 1).flatMap((message, index): ChatRequest[] => {
    if (message.role !== 'assistant') return []
    const spanId = derivedHex(`opentelemetry span ${index}`, 16)
    const answer = chat[index + 1] as object
    return [
      { messages: chat.slice(0, index + 1), answer, startedAt: startedAt + index * 1000, spanId },
    ]
  })
}

/** The members of messages as OpenInference numbers them. */
function numbered(name: string, messages: readonly object[]): Record<string, unknown> {
  const attributes: Record<string, unknown> = {}
  const put = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) put(`${path}.${at}`, item)
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) put(`${path}.${key}`, member)
    else attributes[path] = value
  }
  for (const [at, message] of messages.entries()) {
    const { tool_calls: calls = [], ...rest } = message as {
      readonly tool_calls?: readonly object[]
    }
    put(`${name}.${at}.message`, rest)
    put(
      `${name}.${at}.message.tool_calls`,
      calls.map((call) => ({ tool_call: call })),
    )
  }
  return attributes
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

interface WrittenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly startedAt: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** One span per request, and one per executed tool call. */
function spansOf({ system, messages, startedAt }: RecordedSession): WrittenSpan[] {
  const end = WRITES.adapt({ system, messages, startedAt }).messages.length
  const list = messages.map(genAiMessage)
  const span = (index: number, name: string, attributes: Record<string, unknown>): WrittenSpan => ({
    traceId: derivedHex('opentelemetry trace', 32),
    spanId: derivedHex(`opentelemetry span ${index}`, 16),
    parentSpanId: '',
    name,
    startedAt: startedAt + index * 1000,
    attributes,
  })
  return messages.slice(0, end + 1).flatMap((message, index): WrittenSpan[] => {
    if (message.role === 'user') return []
    if (message.role === 'assistant') {
      return [
        span(index, `chat ${MODEL}`, {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': MODEL,
          'gen_ai.response.model': MODEL,
          'gen_ai.system_instructions': [{ type: 'text', content: system }],
          'gen_ai.input.messages': list.slice(0, index),
          'gen_ai.output.messages': [{ ...list[index], finish_reason: 'stop' }],
        }),
      ]
    }
    const { callId, toolName, parts } = message.result
    return [
      span(index, `execute_tool ${toolName}`, {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': toolName,
        'gen_ai.tool.call.id': callId,
        'gen_ai.tool.call.result': parts.join('\n'),
      }),
    ]
  })
}

function genAiMessage(message: RecordedMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: [{ type: 'text', content: message.text }] }
    case 'assistant': {
      const calls = message.calls.map(({ id, name, arguments: values }) => ({
        type: 'tool_call',
        id,
        name,
        arguments: values,
      }))
      return { role: 'assistant', parts: [{ type: 'text', content: message.text }, ...calls] }
    }
    case 'tool': {
      const { callId, parts } = message.result
      const response = parts.join('\n')
      return { role: 'tool', parts: [{ type: 'tool_call_response', id: callId, response }] }
    }
  }
}
