import { derivedHex } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedResult, RecordedSession } from './recorded-session'

const MODEL = 'openai/gpt-5'

/** Longer texts are in `attachments`, and events refer to them. In characters. */
const ATTACHED = 100

/** A log of one sample, as `inspect eval --log-format json` writes it. */
export const inspectLog: FormatWriter = {
  format: 'inspect',
  file: 'log.json',
  write: (session) => {
    const created = timeOf(session, 0)
    const { events: _, attachments: __, ...sample } = sampleOf(session)
    return written({
      version: 2,
      status: 'success',
      eval: {
        run_id: idOf('run'),
        created,
        task: 'documentation',
        task_id: idOf('task'),
        task_version: 0,
        dataset: { name: 'text-box', samples: 1, sample_ids: [1], shuffled: false },
        sandbox: { type: 'docker' },
        model: MODEL,
        model_args: {},
        config: { limit: 1 },
        packages: { inspect_ai: '0.3.190' },
      },
      plan: { name: 'plan', steps: [{ solver: 'react', params: {} }], config: {} },
      results: { total_samples: 1, completed_samples: 1, scores: [] },
      stats: { started_at: created, completed_at: timeOf(session, session.messages.length) },
      samples: [sample],
    })
  },
}

/** A sample of an `.eval` archive: it has the events of its run, with long texts in attachments. */
export const inspectSample: FormatWriter = {
  format: 'inspect',
  file: 'sample.json',
  write: (session) => written(sampleOf(session)),
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** An id in shortuuid's alphabet: 22 letters and digits. */
function idOf(name: string): string {
  return derivedHex(`inspect ${name}`, 22)
}

function timeOf({ startedAt }: RecordedSession, index: number): string {
  return new Date(startedAt + index * 1000).toISOString().replace('Z', '+00:00')
}

function sampleOf(session: RecordedSession) {
  const { system, messages } = session
  const [first] = messages
  const attachments: Record<string, string> = {}
  const attach = (text: string): string => {
    if (text.length <= ATTACHED) return text
    const hash = derivedHex(text, 32)
    attachments[hash] = text
    return `attachment://${hash}`
  }
  const events = messages.flatMap((message, index) =>
    message.role === 'tool' ? [toolEvent(session, message.result, index, attach)] : [],
  )
  return {
    id: 1,
    epoch: 1,
    input: first?.role === 'user' ? first.text : '',
    target: '',
    messages: [
      { id: idOf('system'), content: system, role: 'system' },
      ...messages.map((message, index) => chatMessage(message, index)),
    ],
    output: { model: MODEL.replace('openai/', ''), choices: [], completion: '' },
    scores: {},
    metadata: {},
    store: {},
    events,
    model_usage: {},
    attachments,
  }
}

function chatMessage(message: RecordedMessage, index: number): object {
  const id = idOf(`message ${index}`)
  switch (message.role) {
    case 'user':
      return { id, content: message.text, source: 'input', role: 'user' }
    case 'assistant': {
      const { text, calls } = message
      const tool_calls = calls.map((call) => ({
        id: call.id,
        function: call.name,
        arguments: call.arguments,
        type: 'function',
      }))
      const said = { id, content: text, source: 'generate', role: 'assistant' }
      return { ...said, ...(calls.length > 0 && { tool_calls }), model: 'gpt-5' }
    }
    case 'tool': {
      const { callId, toolName, parts, isError } = message.result
      const text = parts.join('\n')
      const answer = { role: 'tool', tool_call_id: callId, function: toolName }
      if (!isError) return { id, content: text, ...answer }
      return { id, content: '', ...answer, error: { type: 'unknown', message: text } }
    }
  }
}

function toolEvent(
  session: RecordedSession,
  { callId, toolName, parts, isError }: RecordedResult,
  index: number,
  attach: (text: string) => string,
): object {
  const text = attach(parts.join('\n'))
  return {
    uuid: idOf(`event ${index}`),
    timestamp: timeOf(session, index),
    working_start: index,
    event: 'tool',
    type: 'function',
    id: callId,
    function: toolName,
    arguments: argumentsOf(session, callId),
    result: isError ? '' : text,
    ...(isError && { error: { type: 'unknown', message: text } }),
    events: [],
    completed: timeOf(session, index),
    working_time: 0.125,
  }
}

function argumentsOf({ messages }: RecordedSession, callId: string): object {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  return calls.find(({ id }) => id === callId)?.arguments ?? {}
}
