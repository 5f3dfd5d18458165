/** The public surface of the core. */
export type * from './conversation/conversation'
export { ERROR_RULES } from './conversation/conversation'
export { type ReadDocument, readDocument } from './formats/read-document'
export { type CallResult, failureOf, type ResultCode, resultOf } from './loop/call-result'
export type { RepeatedCallsOptions, RepeatedCallsReport } from './loop/find-repeated-calls'
export { findRepeatedCalls } from './loop/find-repeated-calls'
export * from './loop/guards'
export { STYLE_MESSAGES } from './loop/loop-texts'
export * from './loop/next-request'
export * from './loop/run-batch'
export { writeTrace } from './loop/run-metrics'
export { createArgumentRepair, type RepairArgumentsText, signature } from './loop/signature'
export * from './loop/tool-call-manager'
export type { TokenCounter } from './mask/decide-by-texts'
export { type MaskedDocument, maskDocument } from './mask/mask-document'
export { maskOldToolResults } from './mask/mask-old-tool-results'
export { type Decision, decide, type Reason } from './policy/decide'
export { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from './policy/policy'
export { ReadError } from './problem'
export { type RepairResult, repairArguments } from './repair/repair-arguments'
export { type DocumentRepair, repairDocument } from './repair/repair-document'
export { repairEdits } from './repair/repair-edits'
export { REPAIR_LIMITS, type RepairOptions } from './repair/repair-limits'
export type { CacheFamily } from './replay/cache-rules'
export { CACHE_FAMILIES, cacheFamilyById, cacheFamilyOf, NO_CACHE } from './replay/cache-rules'
export { decideRequest, type ReplaySources } from './replay/decide-request'
export { type PreparedReplay, prepareReplay } from './replay/prepare-replay'
export type { PriceBook, PricedModel } from './replay/price-book'
export { DEFAULT_MODEL, loadPriceBook, PRICE_DATA } from './replay/price-book'
export type { Costs } from './replay/price-sheet'
export { type PriceOverrides, type PriceSheet, priceSheet } from './replay/price-sheet'
export type { CacheRule, CacheSplit, LookBack } from './replay/prompt-cache'
export type {
  AdviceRule,
  AdviceSettings,
  AdvisedSetting,
  BreakEven,
  Recommendation,
} from './replay/recommend'
export {
  ADVICE_RULES,
  breakEven,
  DEFAULT_ADVICE,
  recommend,
  SMALLEST_WINDOW,
  sessionCost,
} from './replay/recommend'
export type { Replay, ReplayedRequest, ReplaySide } from './replay/replay'
export { replay, replayPrepared } from './replay/replay'
export type { CostTerms } from './replay/request-terms'
export type { Session, SessionRequest } from './replay/sessions'
export { createSession, createSessions, requestsOf } from './replay/sessions'
export type { Sweep, SweepPoint } from './replay/sweep'
export { pointAt, sumSweeps, sweep, sweepPrepared } from './replay/sweep'
export { readPolicyToml, writePolicyToml } from './share/toml/policy-toml'
export { type EncodingId, loadEncoding } from './tokens/encoding'
