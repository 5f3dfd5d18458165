/**
 * The public encoding that counts for each model family. The mapping of OpenAI models is that of tiktoken
 * (https://github.com/openai/tiktoken/blob/main/tiktoken/model.py, read November 2026). For other vendors, o200k_base is
 * used as an approximation, and `isExact` is false.
 */
import type { EncodingId } from './encoding'
import FAMILIES from './model-families.json' with { type: 'json' }

export interface ModelFamily {
  readonly id: string
  readonly label: string
  readonly encoding: EncodingId
  /** True if the model itself uses the encoding. */
  readonly isExact: boolean
  /** Matches the vendor's model names. */
  readonly names: RegExp
}

export const MODEL_FAMILIES: readonly ModelFamily[] = FAMILIES.map((family) => ({
  ...family,
  encoding: family.encoding as EncodingId,
  names: new RegExp(family.names, 'i'),
}))

export const DEFAULT_MODEL_FAMILY = MODEL_FAMILIES[0] as ModelFamily

/** Models of no other family, including those that a user adds; their counts are approximate. */
export const OTHER_MODELS: ModelFamily = {
  id: 'other',
  label: 'other models',
  encoding: 'o200k_base',
  isExact: false,
  names: /$^/,
}

/** The family of a model such as `openai/gpt-4o-2024-08-06`; undefined if no family matches. */
export function familyOfModel(model: string | undefined): ModelFamily | undefined {
  if (model === undefined) return undefined
  const name = vendorModelName(model)
  return MODEL_FAMILIES.find((family) => family.names.test(name))
}

/** The model of the first conversation that names one, known or not: one that nobody knows has no price. */
export function modelOfDocument(conversations: readonly { readonly model: string | undefined }[]) {
  return conversations.find(({ model }) => model !== undefined)?.model
}

/** Platforms that put the vendor and often a region before the name: Amazon Bedrock writes `us.anthropic.claude-…`. */
const DOTTED_VENDOR =
  /^(?:[a-z]{2,8}(?:-gov)?\.)?(?:amazon|anthropic|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|xai|zai)\.(?=[a-z])/i

/** True for an id of Amazon Bedrock, such as `us.anthropic.claude-opus-4-6-v1`. */
export function isBedrockId(id: string): boolean {
  return DOTTED_VENDOR.test(lastSegment(id))
}

/**
 * The vendor's name of a model, without what platforms add to it: the path of OpenRouter, Vertex AI, Azure or LiteLLM,
 * the vendor and version of Bedrock, a variant such as `:free`, a date after `@`, or a size such as `[1m]`.
 */
export function vendorModelName(id: string): string {
  const name = lastSegment(id)
    // A fine-tuned model of OpenAI: `ft:gpt-4o-2024-08-06:team::id`.
    .replace(/^ft:/i, '')
    .replace(/\[[^\]]*\]$/, '')
    .replace(/(?:-v\d+)?:.*/, '')
    .replace(/@.*/, '')
  const bare = name.replace(DOTTED_VENDOR, '')
  // Bedrock writes `deepseek.v3-v1:0`.
  return /^deepseek\.[rv]\d/i.test(name) ? `deepseek-${bare}` : bare
}

function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}
