/**
 * SWE-agent: the history processor `last_n_observations`, one observation a step; `polling` moves it in steps.
 * Read November 2026 at commit 318f909 of sweagent/agent/history_processors.py:
 * https://swe-agent.com/latest/reference/history_processor_config/
 * Its `tag_tool_call_observations` tags the action, while `last_n_observations` looks at the tags of the observation: a
 * tool that is never to be cleared cannot be named.
 * It removes observations 1 up to floor(observations / polling) * polling - n, where observation 0 is the task itself.
 */
import { type ExportInput, type ExportNote, type ExportTarget, note } from './export-target'

export const sweAgent: ExportTarget = {
  id: 'swe_agent',
  fileName: 'swe-agent.yaml',
  mediaType: 'application/yaml',
  write: (input) => {
    const { policy } = input
    const isOff = !policy.enabled || policy.windowTurns <= 0
    return {
      text: isOff ? OFF : source(input),
      notes: isOff ? [note('off')] : notesOf(input),
      cleared: isOff ? new Set() : clearedBy(input),
    }
  },
}

const OFF = `agent:
  # Masking is off: the history stays as it is.
  history_processors: []
`

function source({ policy }: ExportInput): string {
  const lines = ['agent:', '  history_processors:']
  lines.push('    - type: last_n_observations', `      n: ${policy.windowTurns}`)
  if (policy.batchTurns > 1) lines.push(`      polling: ${policy.batchTurns}`)
  return `${lines.join('\n')}\n`
}

/** Whole turns: an observation is all a step gave back. */
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
  if (policy.keepErrors && policy.errorRules.length > 0) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.triggerTokens > 0) notes.push(note('no_trigger', { tokens: policy.triggerTokens }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  return notes
}
