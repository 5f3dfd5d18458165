import { type DecidableResult, decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import type { MaskWindow } from '@/lib/core/replay/masking-plan'

export const TURNS = 10
/** Index of the result that is an error. */
const ERROR_TURN = 5

export type SentState = 'sent' | 'placeholder' | 'error'

export interface SentResult {
  readonly state: SentState
  /** True if the request before sent it differently. */
  readonly isChanged: boolean
}

const RESULTS = Array.from(
  { length: TURNS },
  (_, turn): DecidableResult => ({
    message: 2 * turn + 2,
    callId: `call_${turn + 1}`,
    turn,
    toolName: 'read_file',
    toolArguments: '{}',
    firstLine: '',
    shape: 'text',
    errorRules: turn === ERROR_TURN ? ['traceback'] : [],
    chars: 2_000,
    length: 2_000,
  }),
)

/** What each request of the example sends, as the policy decides it: the first one has no result, each later one has one more. */
export function exampleRequests(window: MaskWindow): SentResult[][] {
  const requests: SentResult[][] = [[]]
  for (let turnCount = 1; turnCount <= TURNS; turnCount++) {
    const results = RESULTS.slice(0, turnCount)
    const policy = { ...DEFAULT_POLICY, ...window, enabled: true }
    const decisions = decide({ results, turnCount }, policy, { textOf: () => '' })
    const before = requests.at(-1) ?? []
    requests.push(
      decisions.map(({ action, reason }, index) => {
        const state = action === 'mask' ? 'placeholder' : reason === 'kept_error' ? 'error' : 'sent'
        const isMasked = (one: SentState) => one === 'placeholder'
        const last = before[index]
        return { state, isChanged: last !== undefined && isMasked(last.state) !== isMasked(state) }
      }),
    )
  }
  return requests
}
