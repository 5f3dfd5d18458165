/** Streamed answers of four APIs as they are captured, and the parts to write others with. */

/** Server-sent events as they are captured. */
export const sse = (events: readonly object[]) =>
  events
    .map(
      (event) =>
        `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('')

export const chunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const args = (text: string, index = 0) => ({
  tool_calls: [{ index, function: { arguments: text } }],
})
const call = (id: string, index = 0) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'read_file', arguments: '' } }],
})

export const CHAT = `${sse([
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'I read ' }),
  chunk({ content: 'both files.' }),
  chunk(call('call_1')),
  chunk(args('{"pa')),
  chunk(args('th":"a.ts"}')),
  chunk(call('call_2', 1)),
  chunk(args('{"path":"b.ts"}', 1)),
  chunk({}, { finish_reason: 'tool_calls' }),
  { ...chunk({}), choices: [], usage: { prompt_tokens: 90, completion_tokens: 30 } },
])}data: [DONE]\n\n`

const block = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta })

export const ANTHROPIC = sse([
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 90, output_tokens: 1 },
    },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  },
  { type: 'ping' },
  block(0, { type: 'thinking_delta', thinking: 'Read ' }),
  block(0, { type: 'thinking_delta', thinking: 'first.' }),
  block(0, { type: 'signature_delta', signature: 'c2ln' }),
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  block(1, { type: 'text_delta', text: 'I read it.' }),
  block(1, { type: 'citations_delta', citation: { start: 1 } }),
  block(1, { type: 'citations_delta', citation: { start: 9 } }),
  {
    type: 'content_block_start',
    index: 2,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} },
  },
  block(2, { type: 'input_json_delta', partial_json: '' }),
  {
    type: 'content_block_delta',
    index: 2,
    delta: { type: 'input_json_delta', partial_json: '{"path":' },
  },
  {
    type: 'content_block_delta',
    index: 2,
    delta: { type: 'input_json_delta', partial_json: '"a.ts"}' },
  },
  { type: 'content_block_stop', index: 2 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 30 } },
  { type: 'message_stop' },
])

const ITEM = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'read_file',
  arguments: '',
}
/** Events up to the last one, which has the whole answer. */
export const RESPONSE_EVENTS = [
  { type: 'response.created', response: { id: 'resp_1', model: 'gpt-5', output: [] } },
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'message', role: 'assistant', content: [] },
  },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'I read ' },
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'it.' },
  { type: 'response.output_item.added', output_index: 1, item: ITEM },
  { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"path":' },
  { type: 'response.function_call_arguments.delta', output_index: 1, delta: '"a.ts"}' },
]
const OUTPUT = [
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read it.' }] },
  { ...ITEM, arguments: '{"path":"a.ts"}' },
]
export const RESPONSES = sse([
  ...RESPONSE_EVENTS,
  {
    type: 'response.completed',
    response: {
      id: 'resp_1',
      model: 'gpt-5',
      output: OUTPUT,
      usage: { input_tokens: 90, output_tokens: 30 },
    },
  },
])

export const part = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  modelVersion: 'gemini-3-pro',
  responseId: 'r1',
})
export const GEMINI = sse([
  part([{ text: 'Read first.', thought: true }]),
  part([{ text: 'I read ' }]),
  part([{ text: 'it.' }]),
  part([{ functionCall: { name: 'read_file', args: { path: 'a.ts' } }, thoughtSignature: 'c2ln' }]),
  {
    ...part([{ text: '' }], { finishReason: 'STOP' }),
    usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 30, totalTokenCount: 120 },
  },
])
