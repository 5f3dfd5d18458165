/** Repeated calls by default settings, as pairs. */
import type { Conversation } from '../conversation/conversation'
import type { RepeatedCallsOptions, RepeatedCallsReport } from './find-repeated-calls'
import { ALL_GUARDS, DEFAULT_LIMITS } from './guards'

export const DEFAULT_REPEATED: RepeatedCallsOptions = {
  limits: DEFAULT_LIMITS,
  guards: ALL_GUARDS,
  signatureTurns: 3,
  fewestErrors: 3,
}

/** Calls that repeat an earlier one, with the result of that one and both turns. */
export function repeatsOf(
  { calls, results }: Pick<Conversation, 'calls' | 'results'>,
  { findings }: Pick<RepeatedCallsReport, 'findings'>,
) {
  const answers = new Map(results.map(({ callId }, at) => [callId, at]))
  const repeats = findings.flatMap(({ kind, occurrences }) =>
    kind === 'repeat' ? occurrences.flatMap((one) => (one.repeats ? [one.repeats] : [])) : [],
  )
  return repeats.flatMap((pair) => {
    const [again, first] = pair.map((call) => calls[call])
    const result = answers.get(first?.id)
    if (again?.turn === undefined || first?.turn === undefined || result === undefined) return []
    return [{ result, message: again.message, turn: again.turn, firstTurn: first.turn }]
  })
}

/** The same by requests: the result of the earlier call, and the request that the repeated one answers. */
export function repeatsByRequest(
  repeated: ReturnType<typeof repeatsOf>,
  { requests }: { readonly requests: readonly { readonly end: number }[] },
) {
  const requestOf = (message: number) => requests.findLastIndex(({ end }) => end <= message)
  return repeated.map(({ result, message }) => ({ result, request: requestOf(message) }))
}
