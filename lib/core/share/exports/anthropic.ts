/**
 * Anthropic: the API clears old tool results itself, `context_management.edits`, type `clear_tool_uses_20250919`.
 * Beta header `context-management-2025-06-27`; by default it starts at 100,000 input tokens and keeps 3 tool uses.
 * Read November 2026: https://platform.claude.com/docs/en/build-with-claude/context-editing and the types of
 * @anthropic-ai/sdk 1.12.0.
 */
import { type ExportInput, type ExportNote, type ExportTarget, note } from './export-target'
import { allButLast, hasOneResultATurn, resultsInWindow } from './recent-results'

export const anthropic: ExportTarget = {
  id: 'anthropic',
  fileName: 'context-management.json',
  mediaType: 'application/json',
  write: (input) => {
    const { policy } = input
    if (!policy.enabled || policy.windowTurns <= 0) {
      return { text: '{}\n', notes: [note('off')], cleared: new Set() }
    }
    const keep = resultsInWindow(input)
    const edit = {
      type: 'clear_tool_uses_20250919',
      trigger:
        policy.triggerTokens > 0
          ? { type: 'input_tokens', value: policy.triggerTokens }
          : { type: 'tool_uses', value: keep },
      keep: { type: 'tool_uses', value: keep },
      ...(policy.excludeTools.length > 0 ? { exclude_tools: policy.excludeTools } : {}),
    }
    return {
      text: `${JSON.stringify({ context_management: { edits: [edit] } }, null, 2)}\n`,
      notes: notesOf(input, keep),
      cleared: policy.triggerTokens > 0 ? undefined : allButLast(input, keep),
    }
  },
}

function notesOf(input: ExportInput, keep: number): ExportNote[] {
  const { policy } = input
  const { windowTurns: window, batchTurns: batch } = policy
  const notes = [note('beta_header', { header: 'context-management-2025-06-27' })]
  if (!hasOneResultATurn(input)) notes.push(note('counts_calls', { keep, window }))
  if (batch > 1) notes.push(note('no_batch', { batch }))
  if (policy.keepErrors && policy.errorRules.length > 0) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  notes.push(note('own_placeholder'), note('parts_cleared', { n: 0 }))
  return notes
}
