import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../../conversation/conversation'
import type { MaskPolicy } from '../../policy/policy'
import { turnOf } from '../../testing/conversation-of'
import { inputWithoutTranscript } from '../../testing/export-input'
import { forAll } from '../../testing/test-size'
import { CODING_SESSION, exported, inputFor, ON, sampleOf } from './testing/export-samples'

/** The parameters that the export for Anthropic adds to a request. */
const parametersIn = (text: string) =>
  JSON.parse(/contextManagement = (.*) satisfies/s.exec(text)?.[1] ?? '{}')

describe('configs of other programs', () => {
  const sample = CODING_SESSION

  test('Anthropic: keeps as many tool uses as the window has results', () => {
    const input = inputFor(sample, { ...ON, windowTurns: 8, excludeTools: ['a'] })
    const { text, notes } = exported('anthropic', input)
    const keep = input.shown?.decisions.filter(({ reason }) => reason === 'in_window').length
    const value = { type: 'tool_uses', value: keep }
    const type = 'clear_tool_uses_20250919'
    expect(parametersIn(text)).toEqual({
      betas: ['context-management-2025-06-27'],
      context_management: { edits: [{ type, trigger: value, keep: value, exclude_tools: ['a'] }] },
    })
    expect(notes).toContainEqual({ code: 'counts_calls', values: { keep, window: 8 } })
  })

  test.each(['anthropic', 'langchain'] as const)('%s: turns of one result need no note', (id) => {
    const content = [{ type: 'text', text: 'x'.repeat(400) }]
    const turns = ['1', '2', '3'].flatMap((at) => turnOf(at, content, 'f'))
    const made = sampleOf('made.json', JSON.stringify(turns))
    const write = (policy: Partial<MaskPolicy> = {}) =>
      exported(id, inputFor(made, { ...ON, windowTurns: 1, ...policy }))
    const codes = write().notes.map(({ code }) => code)
    expect(codes).not.toContain('counts_calls')
    expect(codes).not.toContain('counts_results')
    expect([...(write({ triggerTokens: 9_000 }).cleared ?? [])]).toEqual([])
  })

  test('Anthropic: steps become the minimum to clear', () => {
    const policy = { ...ON, windowTurns: 8, batchTurns: 4 }
    const { text, notes, cleared } = exported('anthropic', inputFor(sample, policy))
    const [edit] = parametersIn(text).context_management.edits
    const { results, turnCount } = sample.document.conversations[0] as ReadConversation
    const perTurn = results.reduce((sum, { chars }) => sum + chars / 4, 0) / turnCount
    expect(edit.clear_at_least.type).toBe('input_tokens')
    expect(Math.abs(edit.clear_at_least.value - perTurn * 4)).toBeLessThanOrEqual(50)
    expect(notes.map(({ code }) => code)).toContain('clear_at_least')
    expect(cleared).toBeUndefined()
    const alone = exported('anthropic', inputWithoutTranscript(policy))
    expect(alone.text).not.toContain('clear_at_least')
    expect(alone.notes).toContainEqual({ code: 'no_batch', values: { batch: 4 } })
  })

  test('SWE-agent: notes that tools cannot be excluded', () => {
    const name = sample.document.conversations[0]?.results[0]?.toolName as string
    const input = inputFor(sample, { ...ON, windowTurns: 3, excludeTools: [name] })
    const { text, notes, cleared } = exported('swe_agent', input)
    expect(text).not.toContain('tag_tool_call_observations')
    expect(notes.map(({ code }) => code)).toContain('tags_calls')
    expect(cleared?.has(0)).toBe(true)
  })

  test('OpenHands: about two events for each call', () => {
    const { text } = exported('openhands', inputWithoutTranscript({ ...ON, windowTurns: 50 }))
    expect(parse(text)).toEqual({
      condenser: { type: 'observation_masking', attention_window: 100 },
    })
  })

  test("SWE-agent: the steps follow SWE-agent's formula", () => {
    const upTo = (max: number) => fc.integer({ min: 1, max })
    forAll(60, [upTo(30), upTo(9)], (windowTurns, batchTurns) => {
      const input = inputFor(sample, { ...ON, windowTurns, batchTurns, keepErrors: false })
      const { conversation, decisions } = input.shown as NonNullable<typeof input.shown>
      const { text, cleared, notes } = exported('swe_agent', input)
      expect(text).toContain(`n: ${windowTurns}\n`)
      // Observations as SWE-agent numbers them: the task first, then one per turn.
      const count = conversation.turnCount + 1
      const last = Math.max(0, Math.floor(count / batchTurns) * batchTurns - windowTurns)
      const removed = Array.from({ length: Math.max(0, last - 1) }, (_, turn) => turn)
      const turns = new Set([...(cleared ?? [])].map((index) => conversation.results[index]?.turn))
      expect([...turns].sort()).toEqual(removed.sort())
      if (notes.some(({ code }) => code === 'steps_elsewhere')) return
      expect(cleared?.size).toBe(decisions.filter(({ action }) => action === 'mask').length)
    })
  })
})
