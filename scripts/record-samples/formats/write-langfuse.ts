import { firstCalls } from './adapt-session'
import { derivedHex, derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedSession } from './recorded-session'
import { chatMessage } from './write-openai-chat'

const MODEL = 'gpt-5'

const WRITES = {
  because:
    'every request repeats all before it, and those of the whole session would fill a megabyte',
  adapt: firstCalls(8),
}

/** The answer of `GET /api/public/traces/{id}`: inputs and outputs are values. */
export const langfuseTrace: FormatWriter = {
  format: 'langfuse',
  file: 'trace.json',
  isLog: true,
  writes: WRITES,
  write: (session) => {
    const observations = observationsOf(session, (value) => value)
    return written({ ...traceOf(session), observations })
  },
}

/** A trace downloaded from its page: inputs and outputs are JSON strings; observations occur twice, unordered. */
export const langfuseDownload: FormatWriter = {
  format: 'langfuse',
  file: 'download.json',
  isLog: true,
  writes: WRITES,
  write: (session) => {
    const observations = observationsOf(session, (value) =>
      typeof value === 'string' ? value : JSON.stringify(value),
    ).toReversed()
    return written({ trace: { ...traceOf(session), observations }, observations })
  },
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const TRACE_ID = derivedHex('langfuse trace', 32)

function timeOf({ startedAt }: RecordedSession, index: number): string {
  return new Date(startedAt + index * 1000).toISOString()
}

function traceOf(session: RecordedSession): object {
  const [first] = session.messages
  return {
    id: TRACE_ID,
    projectId: derivedUuid('langfuse project'),
    name: 'documentation',
    timestamp: timeOf(session, 0),
    tags: [],
    sessionId: null,
    input: first?.role === 'user' ? first.text : null,
    output: null,
    metadata: {},
    scores: [],
  }
}

/** One generation per request, one tool observation per call. */
function observationsOf(session: RecordedSession, hold: (value: unknown) => unknown): object[] {
  const { system, messages } = session
  const list = [{ role: 'system', content: system }, ...messages.map(chatMessage)]
  const end = WRITES.adapt(session).messages.length
  const argumentsOf = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? message.calls.map((call) => [call.id, call] as const) : [],
    ),
  )
  const observe = (index: number, type: string, name: string, fields: object) => ({
    id: derivedHex(`langfuse observation ${index}`, 16),
    traceId: TRACE_ID,
    type,
    name,
    startTime: timeOf(session, index),
    endTime: timeOf(session, index + 1),
    parentObservationId: null,
    level: 'DEFAULT',
    statusMessage: null,
    ...fields,
  })
  return messages.slice(0, end + 1).flatMap((message, index): object[] => {
    if (message.role === 'user') return []
    if (message.role === 'assistant') {
      return [
        observe(index, 'GENERATION', 'OpenAI-generation', {
          model: MODEL,
          modelParameters: { temperature: 1 },
          input: hold({ messages: list.slice(0, index + 1) }),
          output: hold(chatMessage(message)),
          metadata: {},
        }),
      ]
    }
    const { callId, toolName, parts, isError } = message.result
    return [
      observe(index, 'TOOL', toolName, {
        level: isError ? 'ERROR' : 'DEFAULT',
        input: hold(argumentsOf.get(callId)?.arguments),
        output: parts.join('\n'),
        metadata: {},
      }),
    ]
  })
}
