import { derivedHex, derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedSession } from './recorded-session'

const MODEL = { provider: 'anthropic', modelId: 'claude-sonnet-4-5' }

/** A session file of version 3: a head, then entries that each name the one before. */
export const piSession: FormatWriter = {
  format: 'pi',
  file: 'session.jsonl',
  write: (session: RecordedSession) => {
    const timeOf = (at: number) => session.startedAt + at * 1000
    const bodies: (readonly [at: number, body: object])[] = [
      [0, { type: 'model_change', ...MODEL }],
      [0, { type: 'thinking_level_change', thinkingLevel: 'off' }],
      ...session.messages.map((message, at) => {
        const written = { ...writeMessage(message), timestamp: timeOf(at) }
        return [at, { type: 'message', message: written }] as const
      }),
    ]
    const head = {
      type: 'session',
      version: 3,
      id: derivedUuid('pi session'),
      timestamp: new Date(timeOf(0)).toISOString(),
      cwd: '/home/user/text-box',
    }
    const entries = bodies.map(
      ([at, { type, ...rest }]: readonly [number, { type?: string }], index) => ({
        type,
        id: entryId(index),
        parentId: index === 0 ? null : entryId(index - 1),
        timestamp: new Date(timeOf(at)).toISOString(),
        ...rest,
      }),
    )
    return `${[head, ...entries].map((line) => JSON.stringify(line)).join('\n')}\n`
  },
}

function entryId(index: number): string {
  return derivedHex(`pi entry ${index}`, 8)
}

function writeMessage(message: RecordedMessage): object {
  if (message.role === 'user')
    return { role: 'user', content: [{ type: 'text', text: message.text }] }
  if (message.role === 'tool') {
    const { callId, toolName, parts, isError } = message.result
    return {
      role: 'toolResult',
      toolCallId: callId,
      toolName,
      content: parts.map((text) => ({ type: 'text', text })),
      // The screen shows the output again.
      ...(toolName === 'run_command' && { details: { output: parts.join('\n') } }),
      isError,
    }
  }
  const { text, calls } = message
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'toolCall', ...call })),
    ],
    api: 'anthropic-messages',
    provider: MODEL.provider,
    model: MODEL.modelId,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
  }
}
