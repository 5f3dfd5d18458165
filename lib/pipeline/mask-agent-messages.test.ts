import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadConversation } from '../core/conversation/conversation'
import { DEFAULT_POLICY } from '../core/policy/policy'
import { inputFor, SAMPLES } from '../core/share/exports/testing/export-samples'
import { aiSdkMessages, langchainMessages } from '../core/share/exports/testing/run-in-packages'
import { anyActivePolicy, countQuarters } from '../core/testing/policies'
import { forAll } from '../core/testing/test-size'
import { maskLangchainMessages, maskModelMessages } from './mask-agent-messages'

const POLICY = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, placeholderTemplate: '[masked]' }

test('messages of the AI SDK: outputs of text, JSON and blocks of text; errors by their type', () => {
  const turn = (id: string, output: object): ModelMessage[] => {
    const call = { toolCallId: id, toolName: 'read' }
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: output as never }] },
    ]
  }
  const outputs = [
    { type: 'text', value: 'fine' },
    { type: 'json', value: { a: 1 } },
    { type: 'content', value: [{ type: 'text', text: 'x' }] },
    { type: 'content', value: [{ type: 'media', data: '', mediaType: 'image/png' }] },
    { type: 'error-text', value: 'it broke' },
    { type: 'error-json', value: { a: 1 } },
    { type: 'execution-denied' },
  ]
  const messages: ModelMessage[] = [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    ...outputs.flatMap((output, at) => turn(`c${at}`, output)),
    ...turn('last', outputs[0] as object),
  ]
  const outputsOf = (masked: readonly ModelMessage[]) =>
    masked.flatMap(({ role, content }) =>
      role === 'tool' ? content.map((part) => part.type === 'tool-result' && part.output) : [],
    )
  const placeholder = { type: 'text', value: '[masked]' }
  const masked = maskModelMessages(messages, { ...POLICY, textParts: true })
  expect(outputsOf(masked)).toEqual([
    ...[placeholder, placeholder, placeholder],
    ...outputs.slice(3),
    outputs[0],
  ])
  for (const [at, message] of messages.entries())
    if (![3, 5, 7].includes(at)) expect(masked[at]).toBe(message)
  const inText = outputsOf(maskModelMessages(messages, { ...POLICY, keepErrors: false }))
  expect(inText.filter((output) => JSON.stringify(output).includes('masked'))).toHaveLength(4)
  expect(maskModelMessages(messages, DEFAULT_POLICY)).toEqual(messages)
  expect(() => maskModelMessages(messages, { ...POLICY, neverGrow: true })).toThrow(RangeError)
})

test('messages of LangChain: a masked one is a new one of its class with its members', () => {
  const turn = (id: string, fields: object) => [
    new AIMessage({ content: '', tool_calls: [{ id, name: 'read', args: {} }] }),
    new ToolMessage({ content: 'x', tool_call_id: id, ...fields }),
  ]
  const messages = [
    new HumanMessage('go'),
    ...turn('a', { id: 'm', name: 'read', artifact: [1], additional_kwargs: { a: 1 } }),
    ...turn('b', { status: 'error' }),
    ...turn('c', { content: [{ type: 'text', text: 'y' }] }),
    ...turn('d', {}),
  ]
  const masked = maskLangchainMessages(messages, { ...POLICY, textParts: true })
  const expected = new ToolMessage({
    ...{ content: '[masked]', tool_call_id: 'a', id: 'm', name: 'read', artifact: [1] },
    additional_kwargs: { a: 1 },
  })
  expect(masked[2]).toBeInstanceOf(ToolMessage)
  expect(masked[2]?.toDict()).toEqual(expected.toDict())
  expect(masked.map(({ content }) => content)).toEqual(
    messages.map(({ content }, at) => ([2, 6].includes(at) ? '[masked]' : content)),
  )
  expect(masked[4]).toBe(messages[4])
})

test('both mask the results that the page masks in the same history of chat messages, for all policies', () => {
  forAll(60, [anyActivePolicy, fc.constantFrom(...SAMPLES.slice(1))], (policy, sample) => {
    // A trigger counts what each shape has around its texts.
    const own = { ...policy, triggerTokens: 0 }
    const { results } = sample.document.conversations[0] as ReadConversation
    const decided = inputFor(sample, own).shown?.decisions ?? []
    const expected = decided.flatMap(({ placeholder }, index) =>
      placeholder === undefined ? [] : [[results[index]?.callId, placeholder]],
    )
    const changed = <Message>(masked: readonly Message[], all: readonly Message[]) =>
      masked.filter((message, at) => message !== all[at])
    const models = aiSdkMessages(sample.messages)
    const parts = changed(maskModelMessages(models, own, countQuarters), models).flatMap(
      ({ role, content }) => (role === 'tool' ? content : []),
    )
    expect(
      parts.map((part) => part.type === 'tool-result' && [part.toolCallId, part.output]),
    ).toEqual(expected.map(([id, value]) => [id, { type: 'text', value }]))
    const langchain = langchainMessages(sample.messages)
    const tools = changed(maskLangchainMessages(langchain, own, countQuarters), langchain)
    expect(
      tools.map((tool) => ToolMessage.isInstance(tool) && [tool.tool_call_id, tool.content]),
    ).toEqual(expected)
  })
})
