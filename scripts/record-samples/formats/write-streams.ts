/** A request with its answer as the provider streams it: the JSON body, then server-sent events, as `curl -N` prints them. */
import type { AdaptSession, FormatWriter } from './format-writer'
import type { RecordedCall, RecordedSession } from './recorded-session'
import { anthropicBody } from './write-anthropic-messages'
import { geminiBody } from './write-gemini'
import { openaiChatBody } from './write-openai-chat'
import { responsesBody } from './write-openai-responses'

const FILE = 'streamed-answer.txt'
const MODEL = 'gpt-5'

type Event = Readonly<Record<string, unknown>>

interface Answer {
  readonly text: string
  readonly calls: readonly RecordedCall[]
}

/** The messages up to the answer with the most calls. */
const untilMostCalls: AdaptSession = (session) => {
  const counts = session.messages.map((message) =>
    message.role === 'assistant' ? message.calls.length : 0,
  )
  const end = counts.indexOf(Math.max(...counts)) + 1
  return { ...session, messages: session.messages.slice(0, end) }
}

function streamOf(
  { format, write }: FormatWriter,
  eventsOf: (answer: Answer) => readonly Event[],
  ending = '',
): FormatWriter {
  return {
    format,
    file: FILE,
    writes: { because: 'a capture ends with an answer', adapt: untilMostCalls },
    write: async (recorded: RecordedSession) => {
      const session = untilMostCalls(recorded)
      const answer = session.messages.at(-1)
      if (answer?.role !== 'assistant') throw new Error('The recording has no calls.')
      const sent = await write({ ...session, messages: session.messages.slice(0, -1) })
      const events = eventsOf(answer).map(
        (event) =>
          `${typeof event.type === 'string' ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
      )
      return `${JSON.stringify(JSON.parse(sent))}\n\n${events.join('')}${ending}`
    },
  }
}

/** Providers send a few characters at a time. */
function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,24}/g) ?? []
}

export const openaiChatStream = streamOf(
  openaiChatBody,
  ({ text, calls }) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      model: MODEL,
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(text).map((content) => chunk({ content })),
      ...calls.flatMap(({ id, name, arguments: written }, index) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...piecesOf(JSON.stringify(written)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, 'tool_calls'),
    ]
  },
  'data: [DONE]\n\n',
)

export const anthropicStream = streamOf(anthropicBody, ({ text, calls }) => {
  const block = (index: number, content_block: object, deltas: readonly object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    stop_reason: null,
  }
  return [
    { type: 'message_start', message },
    ...block(
      0,
      { type: 'text', text: '' },
      piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
    ),
    { type: 'ping' },
    ...calls.flatMap(({ id, name, arguments: written }, at) =>
      block(
        at + 1,
        { type: 'tool_use', id: id.replace(/^call_/, 'toolu_'), name, input: {} },
        piecesOf(JSON.stringify(written)).map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      ),
    ),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]
})

export const responsesStream = streamOf(responsesBody, ({ text, calls }) => {
  const message = { type: 'message', id: 'msg_1', role: 'assistant' }
  return [
    { type: 'response.created', response: { id: 'resp_1', model: MODEL, output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...message, status: 'in_progress', content: [] },
    },
    ...piecesOf(text).map((delta) => ({
      type: 'response.output_text.delta',
      output_index: 0,
      content_index: 0,
      delta,
    })),
    ...calls.flatMap(({ id, name, arguments: written }, at) => {
      const item = { type: 'function_call', id: `fc_${at}`, call_id: id, name }
      const whole = JSON.stringify(written)
      return [
        {
          type: 'response.output_item.added',
          output_index: at + 1,
          item: { ...item, status: 'in_progress', arguments: '' },
        },
        ...piecesOf(whole).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          output_index: at + 1,
          delta,
        })),
        {
          type: 'response.output_item.done',
          output_index: at + 1,
          item: { ...item, status: 'completed', arguments: whole },
        },
      ]
    }),
    // Some servers leave the items out of it.
    { type: 'response.completed', response: { id: 'resp_1', model: MODEL, output: [] } },
  ]
})

export const geminiStream = streamOf(geminiBody, ({ text, calls }) => {
  const chunk = (parts: readonly object[], more: object = {}) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
    modelVersion: 'gemini-2.5-pro',
    responseId: 'response-1',
  })
  return [
    ...piecesOf(text).map((piece) => chunk([{ text: piece }])),
    chunk(
      calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } })),
      { finishReason: 'STOP' },
    ),
  ]
})
