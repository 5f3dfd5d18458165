/**
 * Which providers reject a history with a finding. Not all of it is documented: where neither a vendor's page nor an
 * error of its API was found, the answer is unknown. Sources, read in November 2026, are in docs/integrity.md.
 */
import type { HistoryRule } from './check-history'

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

export interface Rejection {
  readonly rejects: readonly Provider[]
  /** Providers that accept it, or whose requests cannot have it. */
  readonly accepts: readonly Provider[]
}

/** By rule. Providers in neither list are not documented. */
export const REJECTIONS: Readonly<Record<HistoryRule, Rejection>> = {
  unanswered_call: {
    rejects: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock', 'Mistral'],
    accepts: [],
  },
  mid_turn: { rejects: ['OpenAI', 'Anthropic', 'Bedrock', 'Mistral'], accepts: [] },
  orphan: {
    rejects: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock', 'Mistral', 'DeepSeek'],
    accepts: [],
  },
  not_behind: {
    rejects: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock', 'Mistral', 'DeepSeek'],
    accepts: [],
  },
  two_results: {
    rejects: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock', 'Mistral', 'DeepSeek'],
    accepts: [],
  },
  repeated_id: { rejects: ['Anthropic', 'Bedrock', 'DeepSeek', 'Moonshot'], accepts: ['OpenAI'] },
  empty_call_id: { rejects: ['OpenAI', 'Anthropic', 'Bedrock'], accepts: ['Gemini'] },
  empty_result_id: {
    rejects: ['OpenAI', 'Anthropic', 'Bedrock', 'DeepSeek'],
    accepts: ['Gemini'],
  },
  unknown_role: {
    rejects: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock', 'Mistral', 'DeepSeek'],
    accepts: [],
  },
  broken_arguments: { rejects: ['Anthropic', 'Gemini'], accepts: [] },
  missing_reasoning: {
    rejects: ['DeepSeek', 'Moonshot'],
    accepts: ['OpenAI', 'Anthropic', 'Gemini', 'Bedrock'],
  },
  unsigned_thinking: {
    rejects: ['Anthropic', 'Bedrock'],
    accepts: ['OpenAI', 'Gemini', 'Mistral'],
  },
  missing_signature: {
    rejects: ['Gemini'],
    accepts: ['OpenAI', 'Anthropic', 'Bedrock', 'Mistral', 'DeepSeek', 'Moonshot'],
  },
  edited_before_thinking: {
    rejects: ['Anthropic', 'Bedrock'],
    accepts: ['OpenAI', 'Gemini', 'Mistral'],
  },
}

/** Providers of which it is not documented if they reject a finding. */
export function undocumentedFor(rule: HistoryRule): Provider[] {
  const { rejects, accepts } = REJECTIONS[rule]
  return PROVIDERS.filter((provider) => !rejects.includes(provider) && !accepts.includes(provider))
}
