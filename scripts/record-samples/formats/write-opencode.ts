import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedResult } from './recorded-session'

const MODEL = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }

/** What `opencode export` writes; a tool part has the call and its result. */
export const opencodeSession: FormatWriter = {
  format: 'opencode',
  file: 'export.json',
  write: ({ messages, startedAt }) => {
    const results = new Map(
      messages.flatMap((message) =>
        message.role === 'tool' ? [[message.result.callId, message.result] as const] : [],
      ),
    )
    const written = messages.flatMap((message, at) =>
      message.role === 'tool'
        ? []
        : [
            {
              info: infoOf(message, at, startedAt + at * 1000),
              parts: partsOf(message, at, results),
            },
          ],
    )
    const info = { id: 'ses_textbox', directory: '/home/user/text-box', title: 'Text box' }
    return `${JSON.stringify({ info, messages: written }, null, 2)}\n`
  },
}

function infoOf({ role }: RecordedMessage, at: number, created: number): object {
  const ids = { id: `msg_${at}`, sessionID: 'ses_textbox' }
  if (role === 'user') return { ...ids, role, time: { created }, agent: 'build', model: MODEL }
  return { ...ids, role, time: { created }, ...MODEL, cost: 0 }
}

function partsOf(
  message: Exclude<RecordedMessage, { role: 'tool' }>,
  at: number,
  results: ReadonlyMap<string, RecordedResult>,
): object[] {
  const parts = [
    ...(message.role === 'assistant' ? [{ type: 'step-start' }] : []),
    ...(message.text === '' ? [] : [{ type: 'text', text: message.text }]),
    ...(message.role === 'assistant' ? message.calls : []).map(({ id, name, arguments: input }) => {
      return { type: 'tool', callID: id, tool: name, state: stateOf(input, results.get(id)) }
    }),
    ...(message.role === 'assistant' ? [{ type: 'step-finish', reason: 'stop', cost: 0 }] : []),
  ]
  return parts.map((part, index) => ({ id: `prt_${at}_${index}`, messageID: `msg_${at}`, ...part }))
}

function stateOf(input: object, result: RecordedResult | undefined): object {
  if (result === undefined) return { status: 'running', input }
  const output = result.parts.join('\n')
  if (result.isError) return { status: 'error', input, error: output }
  return { status: 'completed', input, output, title: result.toolName, metadata: { output } }
}
