/** Answers of a provider in the form of each API, whole and as the events of a stream. */
import { itemsOf, type JsonObject, membersOf } from '../text/json'

/** The message of an answer, as chat completions write it; `thinking` is what Anthropic signs. */
export interface Answer {
  readonly content?: string | null
  readonly thinking?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

export interface Stated {
  readonly model: string
  readonly input: number
  readonly cached: number
  readonly output: number
  /** The signature of the thinking. */
  readonly signature: string
}

/** An event of a stream, with its name where the API writes one. */
type ServerEvent = JsonObject & { readonly type?: string }

export interface WrittenAnswer {
  readonly whole: JsonObject
  readonly events: readonly ServerEvent[]
}

type Write = (answer: Answer, stated: Stated, body: JsonObject) => WrittenAnswer

const writeChat: Write = (answer, { model, input, cached, output, signature }, body) => {
  const { thinking: _, tool_calls: calls, ...said } = answer
  const called = calls?.map((call, index) => ({ index, type: 'function', ...call }))
  const message = {
    role: 'assistant',
    refusal: null,
    ...said,
    ...(called && { tool_calls: called }),
  }
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  }
  const facts = { id: `chatcmpl-${signature}`, created: 0, model, object: 'chat.completion' }
  const choice = { index: 0, finish_reason: called ? 'tool_calls' : 'stop', logprobs: null }
  const chunk = { ...facts, object: 'chat.completion.chunk' }
  const isCounted = membersOf(body.stream_options).include_usage === true
  return {
    whole: { ...facts, choices: [{ ...choice, message }], usage },
    events: [
      { ...chunk, choices: [{ ...choice, finish_reason: null, delta: message }] },
      { ...chunk, choices: [{ ...choice, delta: {} }] },
      ...(isCounted ? [{ ...chunk, choices: [], usage }] : []),
    ],
  }
}

const writeAnthropic: Write = (answer, { model, input, cached, output, signature }) => {
  const { thinking, content, tool_calls: calls = [] } = answer
  const usage = {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  }
  const message = { id: `msg_${signature}`, type: 'message', role: 'assistant', model }
  const end = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
  const blocks: readonly { readonly block: JsonObject; readonly deltas: readonly JsonObject[] }[] =
    [
      ...(thinking === undefined
        ? []
        : [
            {
              block: { type: 'thinking', thinking: '', signature: '' },
              deltas: [
                { type: 'thinking_delta', thinking },
                { type: 'signature_delta', signature },
              ],
            },
          ]),
      ...(content
        ? [{ block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text: content }] }]
        : []),
      ...calls.map(({ id, function: { name, arguments: written } }) => ({
        block: { type: 'tool_use', id, name, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: written }],
      })),
    ]
  const whole = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature }]),
    ...(content ? [{ type: 'text', text: content }] : []),
    ...calls.map(({ id, function: { name, arguments: written } }) => {
      return { type: 'tool_use', id, name, input: JSON.parse(written) }
    }),
  ]
  const started = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
  return {
    whole: { ...message, ...end, content: whole, usage },
    events: [
      { type: 'message_start', message: started },
      ...blocks.flatMap(({ block, deltas }, index) => [
        { type: 'content_block_start', index, content_block: block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: end, usage: { output_tokens: output } },
      { type: 'message_stop' },
    ],
  }
}

const writeResponses: Write = (answer, { model, input, cached, output, signature }) => {
  const { content, tool_calls: calls = [] } = answer
  const id = `resp_${signature}`
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  const text = { type: 'output_text', text: content ?? '', annotations: [] }
  const items: readonly JsonObject[] = [
    ...(content
      ? [{ type: 'message', id: `msg_${signature}`, role: 'assistant', content: [text] }]
      : []),
    ...calls.map(({ id: call_id, function: { name, arguments: written } }) => {
      return { type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: written }
    }),
  ].map((item) => ({ ...item, status: 'completed' }))
  const facts = { id, object: 'response', created_at: 0, model, error: null, tools: [] }
  const whole = { ...facts, status: 'completed', output: items, usage }
  const started = { ...facts, status: 'in_progress', output: [], usage: null }
  const events: ServerEvent[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...items.flatMap((item, output_index): ServerEvent[] => {
      const at = { item_id: item.id, output_index }
      const { name, arguments: written } = item
      const part = { ...at, content_index: 0 }
      const isCall = item.type === 'function_call'
      const empty = isCall ? { arguments: '' } : { content: [] }
      const parts: ServerEvent[] = isCall
        ? [
            { type: 'response.function_call_arguments.delta', ...at, delta: written },
            { type: 'response.function_call_arguments.done', ...at, name, arguments: written },
          ]
        : [
            { type: 'response.content_part.added', ...part, part: { ...text, text: '' } },
            { type: 'response.output_text.delta', ...part, delta: text.text, logprobs: [] },
            { type: 'response.output_text.done', ...part, text: text.text, logprobs: [] },
            { type: 'response.content_part.done', ...part, part: text },
          ]
      return [
        {
          type: 'response.output_item.added',
          output_index,
          item: { ...item, ...empty, status: 'in_progress' },
        },
        ...parts,
        { type: 'response.output_item.done', output_index, item },
      ]
    }),
    { type: 'response.completed', response: whole },
  ]
  return { whole, events: events.map((event, at) => ({ ...event, sequence_number: at })) }
}

const writeGemini: Write = (answer, { model, input, cached, output, signature }) => {
  const { content, tool_calls: calls = [] } = answer
  const parts = [
    ...(content ? [{ text: content }] : []),
    ...calls.map(({ function: { name, arguments: written } }, at) => ({
      functionCall: { name, args: JSON.parse(written) },
      ...(at === 0 && { thoughtSignature: Buffer.from(signature).toString('base64') }),
    })),
  ]
  const usageMetadata = {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }
  const facts = { modelVersion: model, responseId: signature }
  const said = { content: { role: 'model', parts }, index: 0 }
  const end = { content: { role: 'model', parts: [{ text: '' }] }, index: 0, finishReason: 'STOP' }
  return {
    whole: { ...facts, candidates: [{ ...said, finishReason: 'STOP' }], usageMetadata },
    events: [
      { ...facts, candidates: [said] },
      { ...facts, candidates: [end], usageMetadata },
    ],
  }
}

export const WRITERS = {
  chat: writeChat,
  responses: writeResponses,
  anthropic: writeAnthropic,
  gemini: writeGemini,
} as const

export type WireApi = keyof typeof WRITERS

/** The texts of a stream, one for each event, as the API writes them. */
export function streamOf(api: WireApi, { events }: WrittenAnswer): readonly string[] {
  const isNamed = api === 'anthropic' || api === 'responses'
  const texts = events.map(
    (event) => `${isNamed ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  )
  return api === 'chat' ? [...texts, 'data: [DONE]\n\n'] : texts
}

/** The calls that a request has so far, in any API. */
export function callsIn(body: JsonObject): number {
  const messages = itemsOf(body.messages ?? body.input ?? body.contents).map(membersOf)
  return messages.reduce((sum, message) => {
    const blocks = [...itemsOf(message.content), ...itemsOf(message.parts)].map(membersOf)
    const called = blocks.filter(({ type, functionCall }) => type === 'tool_use' || functionCall)
    const isItem = /^(?:function|custom_tool|local_shell)_call$/.test(String(message.type))
    return sum + itemsOf(message.tool_calls).length + called.length + Number(isItem)
  }, 0)
}
