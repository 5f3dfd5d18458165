/** The main entry of the package: masking of messages and of request bodies. */
export type { ErrorRule } from '../core/conversation/conversation'
export type { TokenCounter } from '../core/mask/decide-by-texts'
export { maskOldToolResults } from '../core/mask/mask-old-tool-results'
export type { BeforeAfter } from '../core/mask/measure-request'
export { completePolicy } from '../core/policy/complete-policy'
export type { Decision, Reason } from '../core/policy/decide'
export { DEFAULT_POLICY, type MaskPolicy } from '../core/policy/policy'
export { type Encoding, type EncodingId, loadEncoding } from '../core/tokens/encoding'
export { maskLangchainMessages, maskModelMessages } from './mask-agent-messages'
export { createMaskMemory, type MaskMemory } from './mask-memory'
export {
  type DecidedRequest,
  type MaskedRequest,
  type MaskOptions,
  type MaskReport,
  maskRequestBody,
} from './mask-request'
export { readPolicyToml } from './read-policy-toml'
