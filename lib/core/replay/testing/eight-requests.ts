/**
 * A session of eight requests whose usage is worked out here: the provider counts 1.2 tokens for one of ours, sends a
 * head of 10,000 tokens that the transcript does not show, and adds 50 tokens with each request. Entries live for five
 * minutes. Request 5 comes after ten minutes and finds an empty cache; request 6 writes for an hour, so request 7 is
 * found half an hour later.
 */
import { DEFAULT_POLICY } from '../../policy/policy'
import { breakpointRule, flatPrice, flatPrices, readSession } from '../../testing/test-sessions'
import { type CalibrationFit, fitSessions } from '../calibration/calibrate-session'
import type { PriceSheet } from '../price-sheet'
import type { CostTerms } from '../request-terms'

const MINUTE = 60_000
/** When each request is sent. */
const SENT = [0, 1, 2, 3, 4, 14, 15, 45].map(
  (minutes) => Date.UTC(2026, 0, 1, 12) + minutes * MINUTE,
)
/** Characters of the message that each request adds. */
const ADDED = [400, 4000, 2000, 6000, 800, 3200, 4800, 1200]

/** Ours: 4 characters a token; 3 and the role's for a message, 8 and name and arguments for a call. */
export const OURS = [
  // The system text of the request and "user" (1), 3.
  3 + 3 + 1 + 100,
]
for (let request = 1; request < 8; request++) {
  const answer = 3 + 3 + 8 + 1 + 1
  const result = 3 + 1 + (ADDED[request] as number) / 4
  OURS.push((OURS[request - 1] as number) + answer + result)
}
export const CHARGED = OURS.map((ours, request) => 10_000 + Math.round(1.2 * ours) + 50 * request)

const usageOf = (request: number) => {
  const all = CHARGED[request] as number
  const read = request === 0 || request === 5 ? 0 : (CHARGED[request - 1] as number)
  const written = all - read
  const hour = request === 6 ? written : 0
  return {
    input_tokens: 0,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
    output_tokens: 100 + request,
  }
}

const line = (type: string, at: number, message: object) =>
  JSON.stringify({ type, sessionId: 's', timestamp: new Date(at).toISOString(), message })
const addedText = (request: number) => 'x'.repeat(ADDED[request] as number)
const resultOf = (request: number) => ({
  ...{ type: 'tool_result', tool_use_id: `c${request - 1}`, content: addedText(request) },
})
const TEXT = SENT.flatMap((at, request) => [
  line('user', at, { role: 'user', content: request === 0 ? addedText(0) : [resultOf(request)] }),
  line('assistant', at + MINUTE / 2, {
    id: `m${request}`,
    role: 'assistant',
    model: 'claude-test',
    content: [{ type: 'tool_use', id: `c${request}`, name: 'ls', input: {} }],
    usage: usageOf(request),
  }),
]).join('\n')

export const PRICES: PriceSheet = flatPrices(10, 1, 12.5, 50)
export const TERMS: CostTerms = {
  prices: PRICES,
  rule: { ...breakpointRule(), isHeadMarked: true, lifetimeSeconds: 300 },
  variants: [
    { model: undefined, hasHourWrites: true, prices: { ...PRICES, cacheWrite: flatPrice(20) } },
  ],
}

export const { session, sources } = readSession(TEXT)
export const fit = fitSessions([session])[0] as CalibrationFit
export const policy = { ...DEFAULT_POLICY, enabled: true, placeholderTemplate: 'gone' }
/** Millionths of a dollar. */
export const micro = (usd: number | undefined) => Math.round((usd ?? Number.NaN) * 1e7) / 10
