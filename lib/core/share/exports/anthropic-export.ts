/**
 * Anthropic: the API clears old tool results with `context_management.edits` of type `clear_tool_uses_20250919` and
 * beta header `context-management-2025-06-27`. By default it starts at 100,000 input tokens and keeps 3 tool uses.
 * Read November 2026, and in the types of @anthropic-ai/sdk 1.12.0:
 * https://platform.claude.com/docs/en/build-with-claude/context-editing
 */
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'
import { hasOneResultATurn, resultsExceptLast, resultsInWindow } from './recent-results'

const BETA = 'context-management-2025-06-27'

export const anthropicExport: ExportTarget = {
  id: 'anthropic',
  fileName: 'context-management.ts',
  mediaType: 'text/typescript',
  write: (input) => {
    const { policy } = input
    if (isMaskingOff(policy)) {
      return { text: OFF, notes: [note('off')], cleared: new Set() }
    }
    const keep = resultsInWindow(input)
    const atLeast = tokensOfBatch(input)
    const edit = {
      type: 'clear_tool_uses_20250919',
      trigger:
        policy.triggerTokens > 0
          ? { type: 'input_tokens', value: policy.triggerTokens }
          : { type: 'tool_uses', value: keep },
      keep: { type: 'tool_uses', value: keep },
      ...(atLeast === undefined
        ? {}
        : { clear_at_least: { type: 'input_tokens', value: atLeast } }),
      ...(policy.excludeTools.length > 0 ? { exclude_tools: policy.excludeTools } : {}),
    }
    return {
      text: source({ betas: [BETA], context_management: { edits: [edit] } }),
      notes: notesOf(input, keep, atLeast),
      cleared:
        policy.triggerTokens > 0 || atLeast !== undefined
          ? undefined
          : resultsExceptLast(input, keep),
    }
  },
}

const OFF = `// Masking is off: requests stay as they are.
export const contextManagement = {}
`

function source(parameters: object): string {
  return `import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/beta/messages/messages'

// Spread it into each request: client.beta.messages.create({ ...contextManagement, model, max_tokens, messages })
export const contextManagement = ${JSON.stringify(parameters, null, 2)} satisfies Pick<MessageCreateParamsNonStreaming, 'betas' | 'context_management'>
`
}

/**
 * Estimated tokens that one step of the window removes. The API has no steps, but clears only if it removes this
 * many.
 */
function tokensOfBatch({ policy: { batchTurns }, shown }: ExportInput): number | undefined {
  if (batchTurns <= 1 || shown === undefined || shown.conversation.turnCount === 0) return undefined
  const { results, turnCount } = shown.conversation
  const chars = results.reduce((sum, result) => sum + result.chars, 0)
  const tokens = ((chars / 4) * batchTurns) / turnCount
  return Math.max(100, Math.round(tokens / 100) * 100)
}

function notesOf(input: ExportInput, keep: number, atLeast: number | undefined): ExportNote[] {
  const { policy } = input
  const { windowTurns: window, batchTurns: batch } = policy
  const notes = [note('beta_header', { header: BETA })]
  if (!hasOneResultATurn(input)) notes.push(note('counts_calls', { keep, window }))
  if (atLeast !== undefined) notes.push(note('clear_at_least', { batch, tokens: atLeast }))
  else if (batch > 1) notes.push(note('no_batch', { batch }))
  if (keepsErrors(policy)) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  notes.push(note('own_placeholder'), note('parts_cleared', { n: 0 }))
  return notes
}
