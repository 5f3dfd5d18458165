/** Masks the requests of any client that takes a `fetch`. */
import type { TokenCounter } from '../../core/mask/mask-old-tool-results'
import type { MaskPolicy } from '../../core/policy/policy'
import { createMaskMemory, type MaskMemory } from '../mask-memory'
import { isOff, type MaskReport, maskRequestBody } from '../mask-request'
import { readFetchBody } from './read-fetch-body'

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

export interface FetchOptions {
  /** Called with what masking did, before the request is sent. */
  readonly onReport?: (report: MaskReport) => void
  /** Called with what went wrong; the request is then sent as it came. By default a warning on the console. */
  readonly onError?: (error: Error) => void
  /** Needed for the settings that count tokens. */
  readonly countTokens?: TokenCounter
  /** Counts the tokens of each request before and after masking for `onReport`; needs `countTokens`. */
  readonly reportTokens?: boolean
  /** Key of the session of a request; by default a hash of its messages before the model's first answer. */
  readonly sessionKey?: (request: SessionRequest) => string | undefined
  /** By default one of its own for each wrapper. */
  readonly memory?: MaskMemory
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
  const { onReport, onError = ({ message }) => console.warn(`observation-masking: ${message}`) } =
    options
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
          sessionKey: options.sessionKey?.({
            url: input instanceof URL ? input.href : typeof input === 'string' ? input : input.url,
            headers: body.headers,
            body: body.text,
          }),
        })
        if (text !== body.text) sent = body.replace(text)
        if (report.problem !== undefined) fail(new Error(report.problem))
        onReport?.(report)
      }
    } catch (error) {
      fail(error)
    }
    return fetch(...sent)
  }
}
