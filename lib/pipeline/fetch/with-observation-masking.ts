/** Masks the requests of any client that takes a `fetch`. */
import type { MaskPolicy } from '../../core/policy/policy'
import { createKeptWarnings } from '../kept-warnings'
import { createMaskMemory } from '../mask-memory'
import { isOff, type MaskOptions, type MaskReport, maskRequestBody } from '../mask-request'

type Fetch = typeof globalThis.fetch

/** Settings; those that are missing are the defaults. A function is called for each request. */
export type PolicySource =
  | Partial<MaskPolicy>
  | (() => Partial<MaskPolicy> | Promise<Partial<MaskPolicy>>)

/** What a session's key is made of. */
export interface SessionRequest {
  readonly url: string
  readonly headers: Headers
  /** The body as JSON text. */
  readonly body: string
}

export interface FetchOptions
  extends Pick<MaskOptions, 'countTokens' | 'reportTokens' | 'maskCompactions' | 'memory'> {
  /** Called with what masking did, before the request is sent. */
  readonly onReport?: (report: MaskReport) => void
  /** Called with what went wrong; the request is then sent as it came. By default a warning on the console. */
  readonly onError?: (error: Error) => void
  /** Called once for each kind of results that stay as sent against expectation. By default a warning on the console. */
  readonly onWarning?: (sentence: string) => void
  /**
   * Key of the session of a request; by default the id that the client states in a header or in the body, else a hash of
   * its messages before the model's first answer.
   */
  readonly sessionKey?: (request: SessionRequest) => string | undefined
}

/**
 * Returns a `fetch` that masks old tool results in the JSON bodies it sends. Everything else passes unchanged: other
 * requests, headers, signals, and the answer as it arrives. Whatever fails, the request is sent as it came.
 */
export function withObservationMasking(
  fetch: Fetch,
  policy: PolicySource,
  options: FetchOptions = {},
): Fetch {
  const memory = options.memory ?? createMaskMemory()
  const warn = (sentence: string) => console.warn(`observation-masking: ${sentence}`)
  const { onReport, onWarning = warn, onError = ({ message }) => warn(message) } = options
  const warnOfKept = createKeptWarnings(onWarning)
  const fail = (error: unknown): void => {
    try {
      onError(error instanceof Error ? error : new Error(String(error)))
    } catch {
      // Its error must not stop the request.
    }
  }
  return async (input, init) => {
    let sent: Parameters<Fetch> = init === undefined ? [input] : [input, init]
    try {
      const settings = typeof policy === 'function' ? await policy() : policy
      const body = isOff(settings) ? undefined : await readFetchBody(input, init)
      if (body !== undefined) {
        const { text, report } = maskRequestBody(body.text, settings, {
          ...options,
          memory,
          header: (name) => body.headers.get(name) ?? undefined,
          sessionKey: options.sessionKey?.({
            url: input instanceof URL ? input.href : typeof input === 'string' ? input : input.url,
            headers: body.headers,
            body: body.text,
          }),
        })
        if (text !== body.text) sent = body.replace(text)
        if (report.problem !== undefined) fail(new Error(report.problem))
        warnOfKept(report)
        onReport?.(report)
      }
    } catch (error) {
      fail(error)
    }
    return fetch(...sent)
  }
}

/** Refuses bytes that are not UTF-8: writing them again would change them. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Headers with a digest or signature of the body, which another body would not match. */
const SIGNED = [
  'content-digest',
  'content-md5',
  'digest',
  'signature',
  'x-amz-content-sha256',
  'x-amz-date',
] as const

/**
 * Returns the JSON text that a request sends. Undefined for what is passed on as it is: other methods and content types,
 * streams, forms and compressed bodies. Rejects if the body is signed or its bytes are not UTF-8.
 */
async function readFetchBody(input: RequestInfo | URL, init: RequestInit | undefined) {
  const request = typeof input === 'object' && 'clone' in input ? input : undefined
  const headers = new Headers(init?.headers ?? request?.headers)
  const method = init?.method ?? request?.method ?? 'GET'
  if (method.toUpperCase() !== 'POST' || !isPlainJson(headers)) return undefined
  const signature = SIGNED.find((name) => headers.has(name))
  if (signature !== undefined) {
    throw new Error(`The header ${signature} signs the body, so the request is sent as it came.`)
  }
  const body = init?.body ?? undefined
  const text =
    body !== undefined
      ? await textOf(body)
      : request !== undefined && request.body !== null && !request.bodyUsed
        ? UTF_8.decode(await request.clone().arrayBuffer())
        : undefined
  if (text === undefined) return undefined
  return {
    text,
    headers,
    /** The arguments of `fetch` with another body; a stated length is corrected. */
    replace: (masked: string): [RequestInfo | URL, RequestInit] => {
      const bytes = typeof body === 'string' ? masked : new TextEncoder().encode(masked)
      if (!headers.has('content-length')) return [input, { ...init, body: bytes }]
      // Node states the length itself, and some of its versions refuse two.
      headers.delete('content-length')
      return [input, { ...init, headers, body: bytes }]
    },
  }
}

function isPlainJson(headers: Headers): boolean {
  const type = headers.get('content-type')
  return (type === null || /\bjson\b/i.test(type)) && !headers.has('content-encoding')
}

async function textOf(body: BodyInit): Promise<string | undefined> {
  if (typeof body === 'string') return body
  if (body instanceof Blob) return UTF_8.decode(await body.arrayBuffer())
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return UTF_8.decode(body)
  return undefined
}
