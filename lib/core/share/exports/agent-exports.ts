/** Settings of agents that mask by themselves. */

import { batchNumber } from '../../policy/policy'
import { firstKeptTurn } from '../../policy/window-steps'
import { type ExportInput, lackNotes, note, vendorExport } from './export-target'

/**
 * SWE-agent: the history processor `last_n_observations`, with one observation per step; `polling` moves its window
 * in steps. It removes observations 1 to floor(observations / polling) * polling - n; observation 0 is the task. A
 * tool cannot be excluded: `tag_tool_call_observations` tags the action, but `last_n_observations` checks the tags of
 * the observation. Read November 2026 at commit 318f909 of sweagent/agent/history_processors.py:
 * https://swe-agent.com/latest/reference/history_processor_config/
 */
export const sweAgentExport = vendorExport(
  (say) => `agent:\n  # ${say('off_history')}\n  history_processors: []\n`,
  (input) => {
    const { windowTurns: window } = input.policy
    // It moves by a number of steps only.
    const batch = Math.max(1, batchNumber(input.policy))
    const lines = ['agent:', '  history_processors:']
    lines.push('    - type: last_n_observations', `      n: ${window}`)
    if (batch > 1) lines.push(`      polling: ${batch}`)
    const notes = [note('counts_steps'), note('own_placeholder')]
    if (batch > 1 && (window + 1) % batch !== 0)
      notes.push(note('steps_elsewhere', { batch, window, most: window + batch - 1 }))
    const lacks = [
      'no_break_even',
      'tags_calls',
      'errors_cleared',
      'no_last_k',
      'no_trigger',
      'no_never_grow',
    ] as const
    return {
      text: `${lines.join('\n')}\n`,
      notes: [...notes, ...lackNotes(input.policy, ...lacks)],
      cleared: clearedBySweAgent(input),
    }
  },
)

/** Results it clears, by turn: an observation is everything one step returned. */
function clearedBySweAgent({ policy, shown }: ExportInput): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const { results, turnCount } = shown.conversation
  const observations = turnCount + 1
  const polling = Math.max(1, batchNumber(policy))
  const removed = Math.floor(observations / polling) * polling - policy.windowTurns - 1
  const isCleared = ({ turn }: (typeof results)[number]) => turn !== undefined && turn < removed
  return new Set(results.flatMap((result, index) => (isCleared(result) ? [index] : [])))
}

/**
 * OpenHands 0.x: `[condenser] type = "observation_masking"`, whose window counts events: an action, its observation
 * and every message are one each. Its placeholder is `<MASKED>`. Read November 2026 in
 * openhands/memory/condenser/impl/observation_masking_condenser.py and config.template.toml:
 * https://github.com/OpenHands/OpenHands/blob/011718233dd35181c3086cd66752773bfeb6334d/config.template.toml
 */
export const openhandsExport = vendorExport(
  () => '[condenser]\ntype = "noop"\n',
  (input, say) => {
    const { policy } = input
    const events = eventsInWindow(input)
    return {
      text: `[condenser]\ntype = "observation_masking"\n# ${say('events')}\nattention_window = ${events}\n`,
      notes: [
        note('version_0'),
        note('counts_events', { events, window: policy.windowTurns }),
        note('own_placeholder'),
        ...lackNotes(policy, 'no_batch', 'no_break_even', 'errors_cleared', 'no_last_k'),
        ...lackNotes(policy, 'no_exclude', 'no_trigger', 'no_never_grow'),
      ],
      // A transcript of messages lacks some of its events.
      cleared: undefined,
    }
  },
)

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
