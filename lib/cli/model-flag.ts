import type { MaskPolicy } from '../core/policy/policy'
import type { EncodingId } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, familyOfModel, MODEL_FAMILIES } from '../core/tokens/model-families'
import { type Flag, type ParsedFlags, UsageError } from './parse-flags'

export const MODEL_FLAG: Flag = {
  name: 'model',
  kind: 'value',
  shown: 'NAME',
  help: `the model whose tokens are counted and whose prices are used; by default the one that the transcript names, else ${DEFAULT_MODEL_FAMILY.label}`,
}

/** The encoding of `--model`, by default that of the page. Throws a `UsageError` for an unknown model. */
export function chooseEncoding(flags: ParsedFlags): EncodingId {
  const named = flags.values.get(MODEL_FLAG.name)
  if (typeof named !== 'string') return DEFAULT_MODEL_FAMILY.encoding
  const encoding = encodingOfModel(named)
  if (encoding !== undefined) return encoding
  const known = MODEL_FAMILIES.map(({ id }) => id).join(', ')
  throw new UsageError(`--model is "${named}"; expected a model of the families ${known}.`)
}

/** The encoding of a model or family of models; undefined if it is unknown. */
export function encodingOfModel(model: string): EncodingId | undefined {
  return (MODEL_FAMILIES.find(({ id }) => id === model) ?? familyOfModel(model))?.encoding
}

/** True if a policy can be applied only with token counts. */
export function needsTokens(policy: MaskPolicy): boolean {
  return (
    policy.neverGrow ||
    policy.triggerTokens > 0 ||
    policy.placeholderTemplate.includes('{original_tokens}')
  )
}
