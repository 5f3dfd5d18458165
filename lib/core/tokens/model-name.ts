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
