/** Settings of agents that mask by themselves. */

import { firstKeptTurn } from '../../policy/decide'
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'

/**
 * SWE-agent: the history processor `last_n_observations`, with one observation per step; `polling` moves its window
 * in steps. It removes observations 1 to floor(observations / polling) * polling - n; observation 0 is the task. A
 * tool cannot be excluded: `tag_tool_call_observations` tags the action, but `last_n_observations` checks the tags of
 * the observation. Read November 2026 at commit 318f909 of sweagent/agent/history_processors.py:
 * https://swe-agent.com/latest/reference/history_processor_config/
 */
export const sweAgentExport: ExportTarget<'swe_agent'> = {
  id: 'swe_agent',
  fileName: 'swe-agent.yaml',
  mediaType: 'application/yaml',
  header: (say) => [say('install_swe_agent'), say('save_swe_agent')],
  write: (input, say) => {
    const { policy } = input
    const isOff = isMaskingOff(policy)
    return {
      text: isOff
        ? `agent:\n  # ${say('off_history')}\n  history_processors: []\n`
        : sweAgentSource(input),
      notes: isOff ? [note('off')] : sweAgentNotes(input),
      cleared: isOff ? new Set() : clearedBySweAgent(input),
    }
  },
}

function sweAgentSource({ policy }: ExportInput): string {
  const lines = ['agent:', '  history_processors:']
  lines.push('    - type: last_n_observations', `      n: ${policy.windowTurns}`)
  if (policy.batchTurns > 1) lines.push(`      polling: ${policy.batchTurns}`)
  return `${lines.join('\n')}\n`
}

/** Results it clears, by turn: an observation is everything one step returned. */
function clearedBySweAgent({ policy, shown }: ExportInput): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const { results, turnCount } = shown.conversation
  const observations = turnCount + 1
  const polling = policy.batchTurns
  const removed = Math.floor(observations / polling) * polling - policy.windowTurns - 1
  const isCleared = ({ turn }: (typeof results)[number]) => turn !== undefined && turn < removed
  return new Set(results.flatMap((result, index) => (isCleared(result) ? [index] : [])))
}

function sweAgentNotes({ policy }: ExportInput): ExportNote[] {
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

/**
 * OpenHands 0.x: `[condenser] type = "observation_masking"`, whose window counts events: an action, its observation
 * and every message are one each. Its placeholder is `<MASKED>`. Read November 2026 in
 * openhands/memory/condenser/impl/observation_masking_condenser.py and config.template.toml:
 * https://github.com/OpenHands/OpenHands/blob/011718233dd35181c3086cd66752773bfeb6334d/config.template.toml
 */
export const openhandsExport: ExportTarget<'openhands'> = {
  id: 'openhands',
  fileName: 'openhands.toml',
  mediaType: 'application/toml',
  header: (say) => [say('install_openhands'), say('save_openhands')],
  write: (input, say) => {
    const { policy } = input
    if (isMaskingOff(policy)) {
      return { text: '[condenser]\ntype = "noop"\n', notes: [note('off')], cleared: new Set() }
    }
    const events = eventsInWindow(input)
    return {
      text: `[condenser]\ntype = "observation_masking"\n# ${say('events')}\nattention_window = ${events}\n`,
      notes: openhandsNotes(input, events),
      // A transcript of messages lacks some of its events.
      cleared: undefined,
    }
  },
}

function eventsInWindow({ policy, shown }: ExportInput): number {
  const { windowTurns } = policy
  const turnCount = shown?.conversation.turnCount ?? 0
  if (shown === undefined || turnCount === 0) return windowTurns * 2
  const firstKept = firstKeptTurn(turnCount, { windowTurns, batchTurns: 1 })
  const inWindow = ({ turn }: { readonly turn: number | undefined }) =>
    turn !== undefined && turn >= firstKept
  const { calls, results } = shown.conversation
  const events = calls.filter(inWindow).length + results.filter(inWindow).length
  const turns = Math.min(windowTurns, turnCount)
  return Math.max(windowTurns * 2, Math.ceil((events / turns) * windowTurns))
}

function openhandsNotes({ policy }: ExportInput, events: number): ExportNote[] {
  const { windowTurns: window, batchTurns: batch } = policy
  const notes = [
    note('version_0'),
    note('counts_events', { events, window }),
    note('own_placeholder'),
  ]
  if (batch > 1) notes.push(note('no_batch', { batch }))
  if (keepsErrors(policy)) notes.push(note('errors_cleared'))
  if (policy.keepLastKPerTool > 0) notes.push(note('no_last_k', { k: policy.keepLastKPerTool }))
  if (policy.excludeTools.length > 0) notes.push(note('no_exclude'))
  if (policy.triggerTokens > 0) notes.push(note('no_trigger', { tokens: policy.triggerTokens }))
  if (policy.neverGrow) notes.push(note('no_never_grow'))
  return notes
}
