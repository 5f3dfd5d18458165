/** The mechanisms, in the order in which tables list them. */
import { aiSdkPruneMessages } from './ai-sdk-prune-messages'
import { anthropicClearToolUses, anthropicCompact, claudeCodeCompact } from './anthropic'
import { asItRan } from './as-it-ran'
import { claudeCodeColdClear } from './claude-code-cold-clear'
import { geminiCliMask } from './gemini-cli-mask'
import { hermesPrune } from './hermes'
import { langchainJs, langchainPython } from './langchain'
import type { Mechanism } from './mechanism'
import { openaiAgentsTrim } from './openai-agents-trim'
import { opencodePrune } from './opencode-prune'
import { openhandsAmortized, openhandsMask, openhandsRecent, openhandsSummary } from './openhands'
import { schema1 } from './schema1'
import { summary } from './summary'
import { supersededFirst } from './superseded-first'
import { sweAgentLastN } from './swe-agent-last-n'
import { truncate } from './truncate'
import { usedAgain } from './used-again'

export const MECHANISMS: readonly Mechanism[] = [
  schema1,
  anthropicClearToolUses,
  anthropicCompact,
  langchainJs,
  langchainPython,
  aiSdkPruneMessages,
  openaiAgentsTrim,
  opencodePrune,
  geminiCliMask,
  hermesPrune,
  openhandsMask,
  openhandsRecent,
  openhandsAmortized,
  openhandsSummary,
  sweAgentLastN,
  claudeCodeColdClear,
  claudeCodeCompact,
  truncate,
  supersededFirst,
  summary,
  usedAgain,
]

/** The mechanism with an id of the table. */
export function mechanismOf(id: string): Mechanism | undefined {
  return [asItRan, ...MECHANISMS].find((one) => one.id === id)
}
