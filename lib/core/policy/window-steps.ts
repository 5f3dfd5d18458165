/** Where the window of a policy stands in each request of a conversation. */
import { addToGroup } from '../conversation/add-to-group'
import type { ToolResult } from '../conversation/conversation'
import { partitionPoint } from '../text/span'
import type { AgingResult, PolicyOfModel, SizedMessage, WindowStep } from './break-even'
import { breakEvenSteps, cacheTermsOf } from './break-even'
import type { MaskPolicy } from './policy'

/** The members of a result that decisions depend on. Members that read its texts may be getters; they are read at most once. */
export type DecidableResult = Omit<ToolResult, 'spans' | 'valueSpan' | 'duplicates'>

/** What decisions need of a conversation. */
export interface DecidableConversation {
  readonly results: readonly DecidableResult[]
  readonly turnCount: number
  /** Read by a window that moves at break-even. */
  readonly messages: readonly SizedMessage[]
}

/** The code points that masking an old result saves; undefined if the policy keeps it. */
export type SavedChars = (result: DecidableResult, index: number) => number | undefined

/** Index of the first turn whose results are kept. The window moves in steps of `batchTurns`. */
export function firstKeptTurn(
  turnCount: number,
  policy: { readonly windowTurns: number; readonly batchTurns: number },
): number {
  const batch = Math.max(1, policy.batchTurns)
  return Math.floor(Math.max(0, turnCount - policy.windowTurns) / batch) * batch
}

/** The first turn kept in a request of so many turns that ends before a message. */
export function keptTurnAt(
  conversation: DecidableConversation,
  policy: PolicyOfModel,
  savedChars: SavedChars,
  onStep?: (last: WindowStep | undefined) => void,
): (turns: number, end: number) => number {
  const { windowTurns, batchTurns } = policy
  if (batchTurns !== 'auto') return (turns) => firstKeptTurn(turns, { windowTurns, batchTurns })
  const steps = windowSteps(conversation, policy, savedChars)
  onStep?.(steps.at(-1))
  return (_, end) => stepAt(steps, end)?.firstKept ?? 0
}

/** The last step of a request that ends before a message. */
export function stepAt(steps: readonly WindowStep[], end: number): WindowStep | undefined {
  return steps[partitionPoint(0, steps.length, (at) => (steps[at] as WindowStep).end <= end) - 1]
}

/** How a window that moves at break-even came to where it stands: a step for each request of the conversation. */
export function windowSteps(
  { results, messages }: DecidableConversation,
  policy: PolicyOfModel,
  savedChars: SavedChars,
): WindowStep[] {
  const aging = agingOf(results, policy, savedChars)
  return breakEvenSteps(messages, aging, policy.windowTurns, cacheTermsOf(policy))
}

/** The results that a policy masks once they are old enough, with the calls before them, as they were when they came. */
export function agingOf(
  results: readonly DecidableResult[],
  policy: MaskPolicy,
  savedChars: SavedChars,
): AgingResult[] {
  const aging: AgingResult[] = []
  const ofTool = new Map<string, number[]>()
  const own = results.map((result) =>
    result.nearest === undefined ? result : copyOf(result, result.nearest),
  )
  for (const { toolName, message } of own)
    if (toolName !== undefined) addToGroup(ofTool, toolName, message)
  const seen = new Map<string, number>()
  for (const [index, result] of own.entries()) {
    const { message, turn, toolName = '', signed } = result
    const at = seen.get(toolName) ?? 0
    seen.set(toolName, at + 1)
    if (turn === undefined || !isLinked(result, policy)) continue
    const saved = savedChars(result, index)
    if (saved === undefined) continue
    const k = toolName === '' ? 0 : policy.keepLastKPerTool
    aging.push({
      ...{ result: index, message, turn, savedChars: saved },
      after: ofTool.get(toolName)?.[at + k] ?? (k > 0 ? Number.POSITIVE_INFINITY : message),
      boundBy: isBound(result, policy) ? (signed?.message as number) : Number.POSITIVE_INFINITY,
    })
  }
  return aging
}

/** The members of a result that decisions depend on, which can be getters, with those of a call. */
export function copyOf(
  { message, callId, link, shape, errorRules, firstLine, chars, length, signed }: DecidableResult,
  call: Pick<ToolResult, 'turn' | 'toolName' | 'toolArguments'>,
): DecidableResult {
  return {
    ...{ message, callId, link, shape, errorRules, firstLine, chars, length, signed },
    ...{ turn: call.turn, toolName: call.toolName, toolArguments: call.toolArguments },
  }
}

/** True if a result has an id, or the policy links it without one. */
export function isLinked(
  { callId, link }: Pick<DecidableResult, 'callId' | 'link'>,
  { linkByOrder }: Pick<MaskPolicy, 'linkByOrder'>,
): boolean {
  return callId !== undefined || (link !== undefined && linkByOrder)
}

/** True if the policy keeps a result as it was when signed thinking after it was written. */
export function isBound(
  { signed }: Pick<DecidableResult, 'signed'>,
  { beforeSignedThinking }: Pick<MaskPolicy, 'beforeSignedThinking'>,
): boolean {
  return signed !== undefined && beforeSignedThinking === 'keep'
}
