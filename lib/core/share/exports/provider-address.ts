/** The address to forward requests to, as the provider's documentation states it. Read November 2026. */
import type { FormatId } from '../../formats/read-document'
import { ownMember } from '../../text/json'
import addresses from './provider-addresses.json' with { type: 'json' }

/** By the ids of the price data. */
const ADDRESSES: Readonly<Record<string, string>> = addresses

/** Formats that one provider has defined. */
const FORMAT_PROVIDERS: Readonly<Partial<Record<FormatId, string>>> = {
  'anthropic-messages': 'anthropic',
  'claude-code': 'anthropic',
  gemini: 'google',
}

/**
 * The address for a model such as `anthropic/claude-opus-4-5`, else for the format of a conversation that names none,
 * else OpenAI's. For other models, it has the word `host` to be replaced.
 */
export function providerAddress(model: string | undefined, format: FormatId | undefined): string {
  // Its address has the region.
  if (format === 'bedrock-converse') return 'https://bedrock-runtime.REGION.amazonaws.com'
  const byFormat = format && FORMAT_PROVIDERS[format]
  const id = model === undefined ? (byFormat ?? 'openai') : (model.split('/')[0] as string)
  return ownMember(ADDRESSES, id) ?? (byFormat && ADDRESSES[byFormat]) ?? 'https://host/v1'
}
