import { derivedHex, derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type {
  RecordedCall,
  RecordedMessage,
  RecordedResult,
  RecordedSession,
} from './recorded-session'

const MODEL = 'gemini-2.5-pro'

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: readonly object[]
}

/** A body of `models.generateContent`. */
export const geminiBody: FormatWriter = {
  format: 'gemini',
  file: 'request-body.json',
  write: ({ system, messages }) => {
    const names = [...new Set(callsOf(messages).map(({ name }) => name))]
    return written({
      systemInstruction: { parts: [{ text: system }] },
      contents: contentsOf(messages, {
        call: ({ id, name, arguments: args }) => ({ functionCall: { id, name, args } }),
        response: (result) => ({
          functionResponse: {
            id: result.callId,
            name: result.toolName,
            response: responseOf(result),
          },
        }),
      }),
      tools: [
        {
          functionDeclarations: names.map((name) => ({
            name,
            parametersJsonSchema: { type: 'object' },
          })),
        },
      ],
      generationConfig: { temperature: 0 },
    })
  },
}

/** A chat history as older programs wrote it: snake case keys, no ids. */
export const geminiOlderContents: FormatWriter = {
  format: 'gemini',
  file: 'contents-without-ids.json',
  write: ({ messages }) =>
    written(
      contentsOf(messages, {
        call: ({ name, arguments: args }) => ({ function_call: { name, args } }),
        response: (result) => ({
          function_response: {
            name: result.toolName,
            response: { result: result.parts.join('\n') },
          },
        }),
      }),
    ),
}

/** A Gemini CLI session from `~/.gemini/tmp/<project>/chats/`; it has no system prompt. */
export const geminiCliSession: FormatWriter = {
  format: 'gemini',
  file: 'gemini-cli-session.json',
  write: (session) => {
    const { messages, startedAt } = session
    return written({
      sessionId: derivedUuid('gemini session'),
      projectHash: derivedHex('gemini project', 64),
      startTime: timeOf(startedAt, 0),
      lastUpdated: timeOf(startedAt, messages.length),
      messages: messages.flatMap((message, index) =>
        message.role === 'tool' ? [] : [recordOf(session, message, index)],
      ),
    })
  },
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function callsOf(messages: readonly RecordedMessage[]): RecordedCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
}

function responseOf({ parts, isError }: RecordedResult): object {
  if (isError) return { error: parts.join('\n') }
  const [status, ...output] = parts
  return output.length === 0 ? { output: status } : { status, output: output.join('\n') }
}

/** The responses to one message's calls are in one content. */
function contentsOf(
  messages: readonly RecordedMessage[],
  write: {
    readonly call: (call: RecordedCall) => object
    readonly response: (result: RecordedResult) => object
  },
): Content[] {
  const contents: { role: Content['role']; parts: object[] }[] = []
  let responses: object[] | undefined
  for (const message of messages) {
    if (message.role === 'tool') {
      if (responses === undefined) {
        responses = []
        contents.push({ role: 'user', parts: responses })
      }
      responses.push(write.response(message.result))
      continue
    }
    responses = undefined
    const text = message.text === '' ? [] : [{ text: message.text }]
    if (message.role === 'user') contents.push({ role: 'user', parts: text })
    else contents.push({ role: 'model', parts: [...text, ...message.calls.map(write.call)] })
  }
  return contents
}

function recordOf(
  { messages, startedAt }: RecordedSession,
  message: Exclude<RecordedMessage, { role: 'tool' }>,
  index: number,
): object {
  const base = { id: derivedUuid(`gemini ${index}`), timestamp: timeOf(startedAt, index) }
  if (message.role === 'user') return { ...base, type: 'user', content: message.text }
  const toolCalls = message.calls.map(({ id, name, arguments: args }) => {
    const at = messages.findIndex((other) => other.role === 'tool' && other.result.callId === id)
    const answer = messages[at]
    if (answer?.role !== 'tool') throw new Error(`${id} was not answered`)
    const { result } = answer
    return {
      id,
      name,
      args,
      result: [{ functionResponse: { id, name, response: responseOf(result) } }],
      status: result.isError ? 'error' : 'success',
      timestamp: timeOf(startedAt, at),
      resultDisplay: result.parts.at(-1),
      displayName: name,
      description: `Runs ${name}.`,
      renderOutputAsMarkdown: false,
    }
  })
  return {
    ...base,
    type: 'gemini',
    content: message.text,
    thoughts: [],
    tokens: null,
    model: MODEL,
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function timeOf(startedAt: number, index: number): string {
  return new Date(startedAt + index * 1000).toISOString()
}
