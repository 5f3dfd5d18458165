/** The public surface of the core. */
export type * from './conversation/conversation'
export { ERROR_RULES } from './conversation/conversation'
export { type ReadDocument, readDocument } from './formats/read-document'
export { type CallResult, failureOf, type ResultCode, resultOf } from './loop/call-result'
export { buildFollowUp, FOLLOW_UP_HISTORY, type FollowUpRequest } from './loop/follow-up'
export { inspectLoops } from './loop/inspect-loops'
export { ALL_GUARDS, DEFAULT_LIMITS, type GuardSwitches, type LoopLimits } from './loop/limits'
export type { LoopClock } from './loop/loop-clock'
export type { InspectOptions, LoopReport } from './loop/loop-report'
export { createMendArguments } from './loop/mend-arguments'
export { runBatch } from './loop/run-batch'
export { type MendArguments, signature } from './loop/signature'
export {
  type BatchProgress,
  type BatchRun,
  isBatchDone,
  type LoopEvent,
  startBatch,
  stepBatch,
} from './loop/step-batch'
export { STYLE_MESSAGES } from './loop/style-message'
export { EMPTY_LOOP, type LoopState, type PendingCall } from './loop/tool-call-manager'
export { writeTrace } from './loop/write-trace'
export { type MaskedDocument, maskDocument } from './mask/mask-document'
export { maskOldToolResults, type TokenCounter } from './mask/mask-old-tool-results'
export { type Decision, decide, type Reason } from './policy/decide'
export { DEFAULT_POLICY, type MaskPolicy } from './policy/policy'
export { POLICY_FIELDS } from './policy/policy-fields'
export { ReadError } from './problem'
export { type RepairResult, repairArguments } from './repair/repair-arguments'
export { type DocumentRepair, repairDocument } from './repair/repair-document'
export { repairEdits } from './repair/repair-edits'
export { REPAIR_LIMITS, type RepairLimits } from './repair/repair-limits'
export {
  CACHE_FAMILIES,
  type CacheFamily,
  cacheFamilyById,
  cacheFamilyOf,
  NO_CACHE,
} from './replay/cache-rules'
export type { Costs } from './replay/costs'
export { decideRequest, type ReplaySources } from './replay/decide-request'
export { type MaskFacts, maskFacts } from './replay/mask-facts'
export {
  DEFAULT_MODEL,
  loadPriceBook,
  PRICE_DATA,
  type PriceBook,
  type PricedModel,
} from './replay/price-book'
export { type PriceOverrides, type PriceSheet, priceSheet } from './replay/price-sheet'
export type { CacheRule, CacheSplit, LookBack } from './replay/prompt-cache'
export {
  type BreakEven,
  breakEven,
  type Recommendation,
  recommend,
  sessionCost,
} from './replay/recommend'
export {
  type CostTerms,
  type Replay,
  type ReplayedRequest,
  type ReplaySide,
  replay,
  replayFacts,
} from './replay/replay'
export {
  requestsOf,
  type Session,
  type SessionRequest,
  sessionOf,
  sessionsOf,
} from './replay/requests'
export {
  pointAt,
  SWEEP_BATCHES,
  type Sweep,
  type SweepPoint,
  sumSweeps,
  sweep,
  sweepFacts,
} from './replay/sweep'
export { readPolicyToml } from './share/policy-toml'
export { writePolicyToml } from './share/write-policy-toml'
export { type EncodingId, loadEncoding } from './tokens/encoding'
