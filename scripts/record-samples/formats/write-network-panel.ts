import { firstCalls } from './adapt-session'
import type { FormatWriter } from './format-writer'
import type { RecordedSession } from './recorded-session'
import { chatMessage } from './write-openai-chat'

const MODEL = 'gpt-5'
const API = 'https://api.openai.com/v1'

/** A network panel's export for an agent in a page: every request, with its body as a string. */
export const networkPanelHar: FormatWriter = {
  format: 'openai-chat',
  file: 'network-panel.har',
  isLog: true,
  writes: {
    because:
      'every request repeats all before it, and those of the whole session would fill a megabyte',
    adapt: firstCalls(8),
  },
  write: (session) => {
    const entries = [modelsEntry(session), ...requestEntries(firstCalls(8)(session))]
    const creator = { name: 'WebInspector', version: '537.36' }
    return `${JSON.stringify({ log: { version: '1.2', creator, pages: [], entries } }, null, 2)}\n`
  },
}

/** One request before each answer, and the request that was open when the panel was saved. */
function requestEntries(session: RecordedSession): object[] {
  const { system, messages } = session
  const list = [{ role: 'system', content: system }, ...messages.map(chatMessage)]
  const ends = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  return [...ends, messages.length].flatMap((end) => {
    const body = JSON.stringify({ model: MODEL, messages: list.slice(0, end + 1) })
    const preflight = entry(session, end, 'OPTIONS', 'chat/completions')
    const answer =
      end === messages.length
        ? undefined
        : {
            object: 'chat.completion',
            model: MODEL,
            choices: [{ index: 0, message: list[end + 1] }],
          }
    const request = entry(session, end, 'POST', 'chat/completions', body, answer)
    return end === ends[0] ? [preflight, request] : [request]
  })
}

function modelsEntry(session: RecordedSession): object {
  return entry(session, 0, 'GET', 'models', undefined, { object: 'list', data: [{ id: MODEL }] })
}

function entry(
  { startedAt }: RecordedSession,
  index: number,
  method: string,
  path: string,
  body?: string,
  answer?: object,
): object {
  const text = answer === undefined ? '' : JSON.stringify(answer)
  const status = text === '' ? (method === 'OPTIONS' ? 204 : 0) : 200
  return {
    _resourceType: method === 'OPTIONS' ? 'preflight' : 'fetch',
    startedDateTime: new Date(startedAt + index * 1000).toISOString(),
    time: 640,
    request: {
      method,
      url: `${API}/${path}`,
      httpVersion: 'http/2.0',
      headers: [{ name: 'content-type', value: 'application/json' }],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: Buffer.byteLength(body ?? ''),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'http/2.0',
      headers: [],
      cookies: [],
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { blocked: 0, dns: -1, connect: -1, send: 0, wait: 620, receive: 20, ssl: -1 },
  }
}
