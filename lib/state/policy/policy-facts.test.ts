import { describe, expect, test } from 'vitest'
import { DEFAULT_PLACEHOLDER } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { eventually } from '../testing/eventually'
import { openedMessages } from '../testing/three-turns'
import { excerptsOf } from './error-lab'
import {
  errorRuleCountsOf,
  extensionsInUse,
  grownOf,
  isChanged,
  placeholderPreviewOf,
  placeholderPriceOf,
  toolSharesOf,
  windowReach,
} from './policy-facts'

const LONG = 'a line of output\n'.repeat(20)

/** A turn of each of these results and tools, with the ids a, b, c. */
const opened = (...turns: readonly (readonly [result: string, tool: string])[]) =>
  openedMessages(turns.flatMap(([result, tool], at) => turnOf('abc'.charAt(at), result, tool)))

describe('facts beside the fields', () => {
  test('count the results that match each error rule', async () => {
    const { store } = await opened(
      ['Traceback: timeout', 'read'],
      ['a timeout', 'read'],
      [LONG, 'read'],
    )
    expect([...(errorRuleCountsOf(store.getState()) ?? [])]).toEqual([
      ['traceback', 1],
      ['timeout', 2],
    ])
  })

  test('list the tools of the document, those with the most tokens first', async () => {
    const { store } = await opened(['ok', 'list'], ['ok', 'list'], [LONG, 'read'])
    const shares = toolSharesOf(store.getState())
    expect(shares.map(({ name, results }) => [name, results])).toEqual([
      ['read', 1],
      ['list', 2],
    ])
    expect(shares[0]?.tokens).toBeGreaterThan(shares[1]?.tokens as number)
  })

  test('count placeholder tokens, and results whose placeholder is longer', async () => {
    const { store, actions } = await opened(['ok', 'list'], [LONG, 'read'], [LONG, 'read'])
    const price = placeholderPriceOf(store.getState())
    expect(price).toMatchObject({ masked: 2 })
    expect(price?.all).toBe((price?.least ?? 0) + (price?.most ?? 0))
    await eventually(() => expect(grownOf(store.getState())).toMatchObject({ results: 1 }))
    const grown = grownOf(store.getState())
    expect(grown?.lost).toBeGreaterThan(0)
    // Other windows mask other results: nothing on the page moves with them.
    for (const windowTurns of [1, 2, 9]) actions.changePolicy({ windowTurns })
    expect(grownOf(store.getState())).toEqual(grown)
  })

  test('preview the selected result, else the first masked one', async () => {
    const { store, actions } = await opened(
      ['Error: no such file', 'read'],
      [LONG, 'list'],
      [LONG, 'read'],
    )
    expect(placeholderPreviewOf(store.getState())).toMatchObject({ result: { callId: 'b' } })
    actions.select(1, 0, 'list')
    const preview = placeholderPreviewOf(store.getState())
    expect(preview?.text).toContain('tool_call_id=a, outil=read')
    expect(preview?.tokensBefore).toBeGreaterThan(0)
    expect(placeholderPreviewOf(store.getState())).toBe(preview)
  })
})

describe('windowReach', () => {
  test.each([
    [0, 1, { state: 'off' }],
    [-1, 1, { state: 'off' }],
    [8, 1, { state: 'keeps', first: 260, turns: 267, kept: 8 }],
    [1, 1, { state: 'keeps', first: 267, turns: 267, kept: 1 }],
    [8, 16, { state: 'keeps', first: 257, turns: 267, kept: 11 }],
    [267, 1, { state: 'all', turns: 267 }],
    [268, 1, { state: 'longer', turns: 267 }],
    [260, 16, { state: 'before_first_step', turns: 267 }],
  ])('a window of %i in steps of %i', (windowTurns, batchTurns, reach) => {
    expect(windowReach(267, { windowTurns, batchTurns })).toEqual(reach)
  })
})

describe('changes', () => {
  test("are relative to the page's defaults, in which masking is on", () => {
    expect(isChanged(LINK_DEFAULTS, 'enabled')).toBe(false)
    expect(isChanged({ ...LINK_DEFAULTS, enabled: false }, 'enabled')).toBe(true)
    expect(isChanged({ ...LINK_DEFAULTS, excludeTools: [] }, 'excludeTools')).toBe(false)
  })

  test('are extensions only if Schema 1 lacks the setting', () => {
    const policy = { ...LINK_DEFAULTS, windowTurns: 3, placeholderTemplate: '-', batchTurns: 16 }
    expect(DEFAULT_PLACEHOLDER).not.toBe('-')
    expect(extensionsInUse(policy)).toEqual(['batchTurns'])
  })
})

test('an excerpt has the matched text with some words around it', () => {
  const text = `${'x'.repeat(100)} request timeout after 30 s, Permission denied ${'y'.repeat(100)}`
  const rules = ['timeout', 'flag', 'pattern', 'exit_code'] as const
  const excerpts = excerptsOf(text, rules, ['permission denied'])
  expect(excerpts.map(({ mark, matched }) => [mark, matched])).toEqual([
    ['timeout', 'timeout'],
    ['pattern', 'Permission denied'],
  ])
  expect(excerpts[0]?.before).toMatch(/^x+ request $/)
  expect(excerpts[0]?.before).toHaveLength(40)
  expect(excerpts[0]?.after).toMatch(/^ after 30 s/)
})
