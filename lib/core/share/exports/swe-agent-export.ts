/**
 * SWE-agent: the history processor `last_n_observations`, with one observation per step; `polling` moves its window
 * in steps. It removes observations 1 to floor(observations / polling) * polling - n; observation 0 is the task. A
 * tool cannot be excluded: `tag_tool_call_observations` tags the action, but `last_n_observations` checks the tags of
 * the observation. Read November 2026 at commit 318f909 of sweagent/agent/history_processors.py:
 * https://swe-agent.com/latest/reference/history_processor_config/
 */
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'

export const sweAgentExport: ExportTarget = {
  id: 'swe_agent',
  fileName: 'swe-agent.yaml',
  mediaType: 'application/yaml',
  write: (input) => {
    const { policy } = input
    const isOff = isMaskingOff(policy)
    return {
      text: isOff ? OFF : source(input),
      notes: isOff ? [note('off')] : notesOf(input),
      cleared: isOff ? new Set() : clearedBy(input),
    }
  },
}

const OFF = `agent:
  # Masking is off: the history is unchanged.
  history_processors: []
`

function source({ policy }: ExportInput): string {
  const lines = ['agent:', '  history_processors:']
  lines.push('    - type: last_n_observations', `      n: ${policy.windowTurns}`)
  if (policy.batchTurns > 1) lines.push(`      polling: ${policy.batchTurns}`)
  return `${lines.join('\n')}\n`
}

/** Results it clears, by turn: an observation is everything one step returned. */
function clearedBy({ policy, shown }: ExportInput): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const { results, turnCount } = shown.conversation
  const observations = turnCount + 1
  const polling = policy.batchTurns
  const removed = Math.floor(observations / polling) * polling - policy.windowTurns - 1
  const isCleared = ({ turn }: (typeof results)[number]) => turn !== undefined && turn < removed
  return new Set(results.flatMap((result, index) => (isCleared(result) ? [index] : [])))
}

function notesOf({ policy }: ExportInput): ExportNote[] {
  const { windowTurns: window, batchTurns: batch } = policy
  const notes = [note('counts_steps'), note('own_placeholder')]
  if (batch > 1 && (window + 1) % batch !== 0) {
    notes.push(note('steps_elsewhere', { batch, window, most: window + batch - 1 }))
  }
  if (policy.excludeTools.length > 0) notes.push(note('tags_calls'))
  if (keepsErrors(policy)) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.triggerTokens > 0) notes.push(note('no_trigger', { tokens: policy.triggerTokens }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  return notes
}
