/** Generated sessions of formats with results and duplicates of their own: masking changes only these, and only once. */
import fc from 'fast-check'
import { test } from 'vitest'
import { anyText } from '../testing/chat-messages'
import { expectStableMasking } from '../testing/expect-masked'
import { forAll } from '../testing/test-size'
import type { FormatId } from './read-document'

const onLines = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).join('\n')
const anyId = fc.constantFrom('a', 'b', '__proto__')
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })

const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'read', input: { path: 'a.ts' } })
const ANTHROPIC_TURN = [user('go'), assistant([{ type: 'text', text: 'I read.' }, toolUse('a')])]
const anyBlock = fc.oneof(
  fc.record({ type: fc.constant('text'), text: anyText }),
  fc.record({ type: fc.constantFrom('image', 'document'), source: fc.record({ data: anyText }) }),
)
const anyToolResult = fc.record({
  type: fc.constantFrom('tool_result', 'web_search_tool_result', 'mcp_tool_result'),
  tool_use_id: anyId,
  content: fc.oneof(
    anyText,
    fc.array(anyBlock, { maxLength: 3 }),
    fc.array(fc.record({ query: anyText, result: anyText, success: fc.boolean() }), {
      maxLength: 2,
    }),
    fc.constant(null),
  ),
  is_error: fc.boolean(),
})
const anyAnthropic = fc
  .tuple(
    fc.array(
      fc.oneof(
        anyText.map(user),
        fc.array(anyId.map(toolUse), { maxLength: 2 }).map(assistant),
        fc.array(anyToolResult, { maxLength: 3 }).map(user),
      ),
    ),
    fc.boolean(),
  )
  .map(([messages, isOnLines]) => {
    const all = [...ANTHROPIC_TURN, ...messages]
    return isOnLines ? onLines(all) : JSON.stringify(all, null, 2)
  })

const anyBedrockBlock = fc.oneof(
  fc.record({ text: fc.string({ minLength: 1 }) }),
  fc.record({ json: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())) }),
  fc.constant({ image: { format: 'png', source: { bytes: 'AA' } } }),
)
const anyBedrock = fc
  .array(fc.array(anyBedrockBlock, { maxLength: 3 }), { minLength: 2, maxLength: 6 })
  .map((results) => {
    const messages = results.flatMap((content, at) => [
      assistant([{ toolUse: { toolUseId: `id-${at}`, name: 'read', input: { a: 1 } } }]),
      user([{ toolResult: { toolUseId: `id-${at}`, content } }]),
    ])
    return JSON.stringify({ messages: [user([{ text: 'go' }]), ...messages] })
  })

const anyOutput = fc
  .array(fc.constantFrom('one line of output', '  2→const a = 1', '}', 'x', '"quoted, at length"'))
  .map((lines) => lines.join('\n'))
const anyClaudeTurn = fc.record({
  id: anyId,
  output: anyOutput,
  beside: fc.oneof(anyOutput, fc.record({ stdout: anyOutput, lines: fc.array(anyOutput) })),
  around: fc.constantFrom({}, { isSidechain: true, agentId: 'a1' }),
  isCompaction: fc.boolean(),
})
const anyClaudeCode = fc.array(anyClaudeTurn, { minLength: 1, maxLength: 8 }).map((turns) =>
  onLines(
    turns.flatMap(({ id, output, beside, around, isCompaction }, at) => {
      const line = { sessionId: 's', isSidechain: false, ...around }
      const result = [{ type: 'tool_result', tool_use_id: id, content: output }]
      const answer = { ...assistant([toolUse(id)]), id: `m${at >> 1}`, model: 'claude-opus-4-5' }
      return [
        { ...line, type: 'assistant', message: answer },
        { type: 'progress', parentToolUseID: id, data: { output } },
        { ...line, type: 'user', message: user(result), toolUseResult: beside },
        ...(isCompaction ? [{ ...line, type: 'system', subtype: 'compact_boundary' }] : []),
      ]
    }),
  ),
)

const codexLine = (type: string, payload: unknown) => ({ timestamp: 'now', type, payload })
const codexItem = (payload: unknown) => codexLine('response_item', payload)
const inputText = (text: string) => [{ type: 'input_text', text }]
const codexUser = (text: string) => codexItem({ type: 'message', ...user(inputText(text)) })
const codexOutput = (call_id: string, output: unknown) => ({
  ...{ type: 'function_call_output', call_id, output },
})
const CODEX_CALL = { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}' }
const anyCodexLine = fc.tuple(anyId, anyText, fc.nat(6)).map(
  ([id, text, kind]) =>
    [
      codexItem({ ...CODEX_CALL, call_id: id }),
      codexItem(codexOutput(id, text)),
      codexItem(codexOutput(id, inputText(text))),
      codexLine('event_msg', {
        ...{ type: 'exec_command_end', call_id: id, stdout: text, aggregated_output: text },
      }),
      codexOutput(id, text),
      codexLine('compacted', { message: text }),
      codexUser(text),
    ][kind],
)
const CODEX_META = codexLine('session_meta', { id: 's', base_instructions: { text: 'be brief' } })

const said = (type: string) => ({ type, content: [{ type: 'text', text: 'go' }] })
const anyInteraction = fc.oneof(
  anyId.map((id) => ({ type: 'function_call', id, name: 'read', arguments: { path: 'a' } })),
  fc.record({
    type: fc.constant('function_result'),
    call_id: anyId,
    name: fc.constant('read'),
    result: fc.oneof(
      anyText,
      fc.array(anyText.map((text) => ({ type: 'text', text }))),
      fc.dictionary(anyText, anyText),
    ),
  }),
  fc.constantFrom<object>(said('user_input'), said('model_output'), {
    ...{ type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Look.' }] },
  }),
)
const anyInteractions = fc.array(anyInteraction, { maxLength: 20 }).map((steps) => {
  const input = [said('user_input'), ...steps]
  return JSON.stringify({ model: 'gemini-3-flash', system_instruction: 'Be brief.', input })
})

const anyHandsTurn = fc.record({
  content: anyText,
  extras: fc.dictionary(fc.constantFrom('diff', 'new_content', 'command'), anyText),
  isPlain: fc.boolean(),
})
const anyHandsTurns = fc.array(anyHandsTurn, { minLength: 1, maxLength: 6 })
const anyOpenHands = anyHandsTurns.map((turns) =>
  JSON.stringify(
    turns.flatMap(({ content, extras, isPlain }, at) => {
      const call = { function: { name: 'execute_bash', arguments: '{"command":"ls"}' } }
      const message = { ...assistant('I look.'), tool_calls: [{ id: `call_${at}`, ...call }] }
      const answer = { id: `answer ${at}`, model: 'gpt-5', choices: [{ message }] }
      const facts = { function_name: 'execute_bash', tool_call_id: `call_${at}` }
      const metadata = { tool_call_metadata: { ...facts, model_response: answer } }
      const event = { source: 'agent', message: 'Running', ...(isPlain ? {} : metadata) }
      const args = { command: 'ls', thought: 'I look.' }
      return [
        { ...event, id: at * 2, action: 'run', args },
        { ...event, id: at * 2 + 1, cause: at * 2, observation: 'run', content, extras },
      ]
    }),
  ),
)
const handsPart = (text: string) => ({ type: 'text', text, cache_prompt: false })
const anyOpenHandsSdk = anyHandsTurns.map((turns) => {
  const items = turns.flatMap(({ content, extras }, at) => {
    const call = { tool_name: 'terminal', tool_call_id: `call_${at}` }
    const tool_call = { id: `call_${at}`, name: 'terminal', arguments: '{"command":"ls"}' }
    const asked = { thought: [handsPart('I look.')], tool_call, llm_response_id: `answer ${at}` }
    const observation = { ...extras, content: [handsPart(content), handsPart('end')] }
    return [
      { ...call, ...asked, id: `action ${at}`, source: 'agent', kind: 'ActionEvent' },
      { ...call, id: `${at}`, source: 'environment', kind: 'ObservationEvent', observation },
    ]
  })
  return JSON.stringify({ items })
})

/** A value in the types of OTLP. */
function typed(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: keyed(value) } }
  return typeof value === 'string' ? { stringValue: value } : { intValue: String(value) }
}
const keyed = (value: object) =>
  Object.entries(value).map(([key, member]) => ({ key, value: typed(member) }))

const anyTrace = fc
  .tuple(
    fc.array(fc.oneof(anyText, fc.record({ out: anyText, err: anyText })), {
      ...{ minLength: 1, maxLength: 5 },
    }),
    fc.constantFrom<(attributes: object) => unknown>((attributes) => attributes, keyed),
    fc.boolean(),
  )
  .map(([results, write, isString]) => {
    const span = (id: string, attributes: object) => ({
      ...{ name: 'chat', traceId: 't', spanId: id, startTimeUnixNano: '1000' },
      attributes: write(attributes),
    })
    const messages = results.flatMap((response, at) => {
      const id = `call_${at}`
      const call = { type: 'tool_call', id, name: 'read', arguments: { path: 'a' } }
      return [
        { role: 'assistant', parts: [{ type: 'text', content: 'I look.' }, call] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id, response }] },
      ]
    })
    const spans = results.flatMap((response, at) => {
      const sent = messages.slice(0, at * 2 + 2)
      return [
        span(`${at}`, { 'gen_ai.input.messages': isString ? JSON.stringify(sent) : sent }),
        span(`tool ${at}`, { 'gen_ai.tool.call.result': response }),
      ]
    })
    return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  })

test.each<[FormatId, string, fc.Arbitrary<string>]>([
  ['anthropic-messages', 'messages', anyAnthropic],
  ['bedrock-converse', 'messages', anyBedrock],
  ['claude-code', 'lines', anyClaudeCode],
  [
    'codex',
    'lines',
    fc
      .array(anyCodexLine, { maxLength: 24 })
      .map((lines) => onLines([CODEX_META, codexUser('go'), ...lines])),
  ],
  ['gemini', 'interactions', anyInteractions],
  ['openhands', 'events', anyOpenHands],
  ['openhands', 'items of its SDK', anyOpenHandsSdk],
  ['opentelemetry', 'spans', anyTrace],
])('%s, %s', (format, _, anyText) => {
  forAll(100, [anyText], (text) => expectStableMasking(text, format))
})
