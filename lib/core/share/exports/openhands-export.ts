/**
 * OpenHands 0.x: `[condenser] type = "observation_masking"`, whose window counts events: an action, its observation
 * and every message are one each. Its placeholder is `<MASKED>`. Read November 2026 in
 * openhands/memory/condenser/impl/observation_masking_condenser.py and config.template.toml:
 * https://github.com/OpenHands/OpenHands/blob/011718233dd35181c3086cd66752773bfeb6334d/config.template.toml
 */
import { firstKeptTurn } from '../../policy/decide'
import {
  type ExportInput,
  type ExportNote,
  type ExportTarget,
  isMaskingOff,
  keepsErrors,
  note,
} from './export-target'

export const openhandsExport: ExportTarget = {
  id: 'openhands',
  fileName: 'openhands.toml',
  mediaType: 'application/toml',
  write: (input) => {
    const { policy } = input
    if (isMaskingOff(policy)) {
      return { text: '[condenser]\ntype = "noop"\n', notes: [note('off')], cleared: new Set() }
    }
    const events = eventsInWindow(input)
    return {
      text: `[condenser]\ntype = "observation_masking"\n# Events: about two for each tool call.\nattention_window = ${events}\n`,
      notes: notesOf(input, events),
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

function notesOf({ policy }: ExportInput, events: number): ExportNote[] {
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
