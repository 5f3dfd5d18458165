import { derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedCall, RecordedMessage, RecordedResult } from './recorded-session'

/** A request with the rounds of its answer, as the chat keeps them. */
interface Request {
  readonly text: string
  readonly at: number
  readonly rounds: { readonly text: string; readonly calls: readonly RecordedCall[] }[]
  readonly results: RecordedResult[]
}

/** The export of a chat; results of a tool with several parts are trees of prompt-tsx. */
export const copilotChatExport: FormatWriter = {
  format: 'copilot-chat',
  file: 'chat.json',
  write: ({ messages, startedAt }) => {
    const requests = requestsOf(messages).map(({ text, at, rounds, results }) => ({
      requestId: `request_${derivedUuid(`copilot request ${at}`)}`,
      message: { text, parts: [{ kind: 'text', text }] },
      response: results.map(invocationOf),
      result: {
        metadata: {
          renderedUserMessage: [{ type: 1, text }],
          toolCallRounds: rounds.map((round, index) => ({
            response: round.text,
            toolCalls: round.calls.map(({ id, name, arguments: written }) => {
              return { name, arguments: JSON.stringify(written), id }
            }),
            toolInputRetry: 0,
            id: derivedUuid(`copilot round ${at} ${index}`),
          })),
          toolCallResults: Object.fromEntries(
            results.map((result) => [result.callId, contentOf(result)]),
          ),
        },
      },
      timestamp: startedAt + at * 1000,
      modelId: 'copilot/claude-sonnet-4.5',
    }))
    const chat = { responderUsername: 'GitHub Copilot', initialLocation: 'panel', requests }
    return `${JSON.stringify(chat, null, 2)}\n`
  },
}

function requestsOf(messages: readonly RecordedMessage[]): readonly Request[] {
  const requests: Request[] = []
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user') requests.push({ text: message.text, at, rounds: [], results: [] })
    else if (message.role === 'assistant') requests.at(-1)?.rounds.push(message)
    else requests.at(-1)?.results.push(message.result)
  }
  return requests
}

function contentOf({ parts, isError }: RecordedResult): object {
  const children = parts.map((text, index) => ({ type: 2, text, lineBreakBefore: index > 0 }))
  const value = parts.length === 1 ? parts[0] : { node: { type: 1, ctor: 2, children, props: {} } }
  return { content: [{ value }], ...(isError && { hasError: true }) }
}

function invocationOf({ callId, toolName, parts }: RecordedResult): object {
  return {
    kind: 'toolInvocationSerialized',
    toolId: toolName,
    toolCallId: callId,
    isComplete: true,
    resultDetails: {
      input: '{}',
      output: [{ type: 'embed', isText: true, value: parts.join('\n') }],
    },
  }
}
