import { derivedHex } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedCall, RecordedMessage, RecordedResult } from './recorded-session'

type Json = Readonly<Record<string, unknown>>

/** `ModelMessage[]`, the history that `generateText` accepts and returns. */
export const aiSdkModelMessages: FormatWriter = {
  format: 'ai-sdk',
  file: 'model-messages.json',
  write: ({ system, messages }) =>
    written([
      { role: 'system', content: system },
      ...groupsOf(messages).flatMap((group) =>
        group.role === 'user'
          ? [{ role: 'user', content: [{ type: 'text', text: group.text }] }]
          : group.steps.flatMap(modelMessagesOf),
      ),
    ]),
}

/** `UIMessage[]` of version 5 and later, as `useChat` sends it: one message per answer. */
export const aiSdkUiMessages: FormatWriter = {
  format: 'ai-sdk',
  file: 'ui-messages.json',
  write: ({ system, messages }) =>
    written({
      id: idOf('chat'),
      messages: [
        { id: idOf('system'), role: 'system', parts: [{ type: 'text', text: system }] },
        ...groupsOf(messages).map((group, index) => ({
          id: idOf(`message ${index}`),
          role: group.role,
          parts:
            group.role === 'user'
              ? [{ type: 'text', text: group.text }]
              : group.steps.flatMap(uiPartsOf),
        })),
      ],
      trigger: 'submit-message',
    }),
}

/** Version 4 messages, which contain each call twice. */
export const aiSdkUiMessagesVersion4: FormatWriter = {
  format: 'ai-sdk',
  file: 'ui-messages-version-4.json',
  write: (session) => {
    const createdAt = (index: number) => new Date(session.startedAt + index * 1000).toISOString()
    return written(
      groupsOf(session.messages).map((group, index) => {
        const base = {
          id: idOf(`message ${index}`),
          createdAt: createdAt(index),
          role: group.role,
        }
        if (group.role === 'user') {
          const { text } = group
          return { ...base, content: text, parts: [{ type: 'text', text }] }
        }
        const invocations = group.steps.map((step, at) => invocationsOf(step, at))
        return {
          ...base,
          content: group.steps.map(({ text }) => text).join(''),
          parts: group.steps.flatMap(({ text }, at) => [
            { type: 'step-start' },
            ...textParts(text),
            ...(invocations[at] ?? []).map((toolInvocation) => ({
              type: 'tool-invocation',
              toolInvocation,
            })),
          ]),
          toolInvocations: invocations.flat(),
        }
      }),
    )
  },
}

interface Step {
  readonly text: string
  readonly calls: readonly { readonly call: RecordedCall; readonly result: RecordedResult }[]
}

type Group =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly steps: readonly Step[] }

/** One message as a page shows it: a user's text, or all an assistant does until the next user text. */
function groupsOf(messages: readonly RecordedMessage[]): Group[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.result.callId, message.result] as const] : [],
    ),
  )
  const groups: Group[] = []
  let steps: Step[] | undefined
  for (const message of messages) {
    if (message.role === 'user') {
      groups.push({ role: 'user', text: message.text })
      steps = undefined
    } else if (message.role === 'assistant') {
      if (steps === undefined) {
        steps = []
        groups.push({ role: 'assistant', steps })
      }
      const calls = message.calls.map((call) => ({ call, result: resultFor(call, results) }))
      steps.push({ text: message.text, calls })
    }
  }
  return groups
}

function resultFor(
  { id }: RecordedCall,
  results: ReadonlyMap<string, RecordedResult>,
): RecordedResult {
  const result = results.get(id)
  if (result === undefined) throw new Error(`${id} was not answered`)
  return result
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function idOf(name: string): string {
  return derivedHex(`ai sdk ${name}`, 16)
}

function textParts(text: string): Json[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

/** The tool's return value: a text, or a command's status and output. */
function returnedBy({ parts }: RecordedResult): unknown {
  const [status, ...output] = parts
  return output.length === 0 ? status : { status, output: output.join('\n') }
}

function modelMessagesOf({ text, calls }: Step): Json[] {
  const asked = calls.map(({ call: { id, name, arguments: input } }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
  }))
  const answered = calls.map(({ call, result }) => {
    const value = result.isError ? result.parts.join('\n') : returnedBy(result)
    const type = result.isError ? 'error-text' : typeof value === 'string' ? 'text' : 'json'
    return {
      type: 'tool-result',
      toolCallId: call.id,
      toolName: call.name,
      output: { type, value },
    }
  })
  return [
    { role: 'assistant', content: [...textParts(text), ...asked] },
    ...(answered.length > 0 ? [{ role: 'tool', content: answered }] : []),
  ]
}

function uiPartsOf({ text, calls }: Step): Json[] {
  return [
    { type: 'step-start' },
    ...textParts(text).map((part) => ({ ...part, state: 'done' })),
    ...calls.map(({ call: { id, name, arguments: input }, result }) => ({
      type: `tool-${name}`,
      toolCallId: id,
      ...(result.isError
        ? { state: 'output-error', input, errorText: result.parts.join('\n') }
        : { state: 'output-available', input, output: returnedBy(result) }),
    })),
  ]
}

function invocationsOf({ calls }: Step, step: number): Json[] {
  return calls.map(({ call: { id, name, arguments: args }, result }) => ({
    state: 'result',
    step,
    toolCallId: id,
    toolName: name,
    args,
    result: returnedBy(result),
  }))
}
