/**
 * Which providers reject a history with a finding. Not all of it is documented: where neither a vendor's page nor an
 * error of its API was found, the answer is unknown. Sources, read in November 2026, are in docs/integrity.md.
 */
import type { HistoryRule } from './check-history'
import REJECTED from './rejections.json' with { type: 'json' }

export const PROVIDERS = [
  'OpenAI',
  'Anthropic',
  'Gemini',
  'Bedrock',
  'Mistral',
  'DeepSeek',
  'Moonshot',
] as const

export type Provider = (typeof PROVIDERS)[number]

/** By rule. Providers accept a finding too if their requests cannot have it; those in neither list are not documented. */
export const REJECTIONS = REJECTED as Readonly<
  Record<HistoryRule, Readonly<Record<'rejects' | 'accepts', readonly Provider[]>>>
>

/** Providers of which it is not documented if they reject a finding. */
export function undocumentedFor(rule: HistoryRule): Provider[] {
  const { rejects, accepts } = REJECTIONS[rule]
  return PROVIDERS.filter((provider) => !rejects.includes(provider) && !accepts.includes(provider))
}
