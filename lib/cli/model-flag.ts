import type { MaskPolicy } from '../core/policy/policy'
import type { EncodingId } from '../core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY, familyOfModel, MODEL_FAMILIES } from '../core/tokens/model-families'
import { type Flag, type ParsedFlags, UsageError } from './parse-flags'

export const MODEL_FLAG: Flag = {
  name: 'model',
  kind: 'value',
  shown: 'NAME',
  help: `the model whose tokens are counted and whose prices are used; by default ${DEFAULT_MODEL_FAMILY.label}`,
}

/** The encoding of `--model`, by default that of the page. Throws a `UsageError` for an unknown model. */
export function chooseEncoding(flags: ParsedFlags): EncodingId {
  const encoding = knownEncoding(flags)
  if (encoding !== undefined) return encoding
  const known = MODEL_FAMILIES.map(({ id }) => id).join(', ')
  const named = flags.values.get(MODEL_FLAG.name)
  throw new UsageError(`--model is "${named}"; expected a model of the families ${known}.`)
}

/** As `chooseEncoding`, but undefined for an unknown model. */
export function knownEncoding({ values }: ParsedFlags): EncodingId | undefined {
  const named = values.get(MODEL_FLAG.name)
  if (typeof named !== 'string') return DEFAULT_MODEL_FAMILY.encoding
  const family = MODEL_FAMILIES.find(({ id }) => id === named) ?? familyOfModel(named)
  return family?.encoding
}

/** True if a policy can be applied only with token counts. */
export function needsTokens(policy: MaskPolicy): boolean {
  return (
    policy.neverGrow ||
    policy.triggerTokens > 0 ||
    policy.placeholderTemplate.includes('{original_tokens}')
  )
}
