import { describe, expect, test } from 'vitest'
import { startProviderServer, turn } from '../../core/testing/provider-server'
import type { MaskReport } from '../mask-request'
import {
  type FetchOptions,
  type PolicySource,
  withObservationMasking,
} from './with-observation-masking'

const POLICY = { enabled: true, windowTurns: 1 }
/** The history of the specification's integration test. */
const MESSAGES = [
  { role: 'user', content: 'go' },
  ...turn('old', 'the old output '.repeat(20)),
  { role: 'assistant', content: 'and now', reasoning_content: 'hm' },
  { role: 'user', content: 'more é \ud83d\ude00' },
  ...turn('new', 'the new output'),
]
const BODY = `{ "model":"m", "temperature":1.0, "messages": ${JSON.stringify(MESSAGES)}}`
const JSON_POST = { method: 'POST', headers: { 'content-type': 'application/json' } } as const

/** What a fetch was called with, the body that it sends, and what is reported. */
async function send(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  policy: PolicySource = POLICY,
  options: FetchOptions = {},
) {
  const calls: Parameters<typeof fetch>[] = []
  const reports: MaskReport[] = []
  const errors: string[] = []
  const fetchNothing: typeof fetch = async (...call) => {
    calls.push(call)
    return new Response()
  }
  const masking = withObservationMasking(fetchNothing, policy, {
    onReport: (report) => reports.push(report),
    onError: ({ message }) => errors.push(message),
    ...options,
  })
  await masking(input, init)
  const [sent] = calls as [Parameters<typeof fetch>]
  const request = new Request(...sent)
  return { init: sent[1], request, text: await request.clone().text(), reports, errors }
}

const URL_OF_IT = 'http://127.0.0.1:9/v1/chat/completions'
const bytes = new TextEncoder().encode(BODY)

describe('a body is masked', () => {
  const { signal } = new AbortController()
  test.each<[string, RequestInfo | URL, RequestInit | undefined]>([
    ['a string', URL_OF_IT, { ...JSON_POST, body: BODY }],
    ['a string without a type', new URL(URL_OF_IT), { method: 'post', body: BODY }],
    ['bytes', URL_OF_IT, { ...JSON_POST, body: bytes }],
    ['a buffer', URL_OF_IT, { ...JSON_POST, body: bytes.buffer }],
    ['a blob', URL_OF_IT, { ...JSON_POST, body: new Blob([BODY]) }],
    ['a Request', new Request(URL_OF_IT, { ...JSON_POST, body: BODY, signal }), undefined],
    ['a Request and a body', new Request(URL_OF_IT, JSON_POST), { body: BODY }],
  ])('of %s', async (_, input, init) => {
    const { text, reports, errors, request } = await send(input, init)
    const messages = JSON.parse(text).messages
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(
      MESSAGES.map(({ content }, at) =>
        at === 2 ? expect.stringContaining('tool_call_id=old') : content,
      ),
    )
    expect(text.startsWith('{ "model":"m", "temperature":1.0, "messages": [')).toBe(true)
    expect([reports.map(({ outcome }) => outcome), errors]).toEqual([['masked'], []])
    expect(request.method).toBe('POST')
  })

  test('without a stated length, which fetch states; other headers and the signal stay', async () => {
    const { signal } = new AbortController()
    const kept = { 'content-type': 'text/json', 'x-own': 'a' }
    const headers = { ...kept, 'Content-Length': `${bytes.length}` }
    const { init } = await send(URL_OF_IT, { method: 'POST', headers, body: BODY, signal })
    expect(init?.signal).toBe(signal)
    expect(Object.fromEntries(new Headers(init?.headers))).toEqual(kept)
  })

  test('with the same headers and signal of a Request', async () => {
    const abort = new AbortController()
    const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: BODY, signal: abort.signal }
    const { request } = await send(new Request(URL_OF_IT, init), undefined)
    expect(Object.fromEntries(request.headers)).toEqual(headers)
    abort.abort()
    expect(request.signal.aborted).toBe(true)
  })
})

describe('passed on untouched', () => {
  const stream = () => new Blob([BODY]).stream()
  const gzip = { ...JSON_POST.headers, 'content-encoding': 'gzip' }
  test.each<[string, RequestInit | undefined, PolicySource]>([
    ['a request without a body', undefined, POLICY],
    ['a stream', { ...JSON_POST, body: stream(), duplex: 'half' } as RequestInit, POLICY],
    ['another method', { ...JSON_POST, method: 'PUT', body: BODY }, POLICY],
    ['a form', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }, POLICY],
    ['another type', { method: 'POST', headers: { 'content-type': 'text/x' }, body: BODY }, POLICY],
    ['a compressed body', { method: 'POST', headers: gzip, body: BODY }, POLICY],
    ['everything, by a policy that is off', { ...JSON_POST, body: BODY }, { enabled: false }],
    ['everything, by a window of 0', { ...JSON_POST, body: BODY }, { ...POLICY, windowTurns: 0 }],
  ])('%s', async (_, init, policy) => {
    const { init: sent, reports, errors } = await send(URL_OF_IT, init, policy)
    // The very same arguments: not a byte can differ.
    expect(sent).toBe(init)
    expect([reports, errors]).toEqual([[], []])
  })

  test('a body that is no request, with a report', async () => {
    const init = { ...JSON_POST, body: '{"input":"text","model":"m"}' }
    const { init: sent, reports } = await send(URL_OF_IT, init)
    expect(sent).toBe(init)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['no_request'])
  })
})

describe('a failure sends the original, and is reported', () => {
  const init = { ...JSON_POST, body: BODY }
  const boom = () => {
    throw new Error('boom')
  }
  const signed = { ...init, headers: { ...init.headers, 'X-Amz-Date': '1' } }
  test.each<[string, RequestInit, PolicySource, string, FetchOptions?]>([
    ['of the policy', init, boom, 'boom'],
    ['of a setting', init, { ...POLICY, batchTurns: 0 }, 'batchTurns is 0'],
    ['of reading', { ...JSON_POST, body: '{"messages": [' }, POLICY, 'It looks cut off'],
    ['of bytes', { ...JSON_POST, body: new Uint8Array([0x7b, 0xff]) }, POLICY, 'not valid'],
    ['of a signed body', signed, POLICY, 'x-amz-date signs the body'],
    ['of the session key', init, POLICY, 'boom', { sessionKey: boom }],
  ])('%s', async (_, failing, policy, sentence, options) => {
    const { init: sent, errors } = await send(URL_OF_IT, failing, policy, options)
    expect(sent).toBe(failing)
    expect(errors).toEqual([expect.stringContaining(sentence)])
  })

  test('of the callbacks never stops a request', async () => {
    const { text } = await send(URL_OF_IT, init, POLICY, { onReport: boom, onError: boom })
    expect(text).toContain('tool_call_id=old')
  })
})

test('a flag that changes changes the next request to a provider', async () => {
  const provider = await startProviderServer({ isStrict: false })
  let enabled = true
  const outcomes: string[] = []
  const masking = withObservationMasking(fetch, () => ({ enabled, windowTurns: 1 }), {
    onReport: ({ outcome }) => outcomes.push(outcome),
  })
  for (enabled of [true, false]) {
    const length = { 'content-length': `${Buffer.byteLength(BODY)}` }
    const headers = { ...JSON_POST.headers, authorization: 'Bearer k', ...(enabled && length) }
    const init = { ...JSON_POST, headers, body: BODY }
    await masking(`${provider.baseUrl}/chat/completions`, init)
  }
  enabled = true
  // The client's header names the session of both, and only one of them has tools.
  const headers = { ...JSON_POST.headers, authorization: 'Bearer k', 'X-Session-Id': 'one' }
  const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }]
  for (const body of [JSON.stringify({ ...JSON.parse(BODY), tools }), BODY])
    await masking(`${provider.baseUrl}/chat/completions`, { ...JSON_POST, headers, body })
  await provider.close()
  const masked = expect.stringContaining('tool_call_id=old')
  expect(provider.texts).toEqual([masked, BODY, masked, BODY])
  expect(outcomes).toEqual(['masked', 'masked', 'compaction'])
})
