import { describe, expect, test } from 'vitest'
import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { pointAt, type Sweep } from '@/lib/core/replay/sweep'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { applySettings } from '../link/settings-url'
import { createPlayground } from '../playground'
import { figuresOf, replayOf } from '../policy/policy-view'
import { readStoredOverrides, syncStored } from '../sync-stored'
import { eventually } from '../testing/eventually'
import { MESSAGES, opened, replayedApart, SESSION, swept } from '../testing/open-session'
import { REFUSED, storageInMemory } from '../testing/storage-in-memory'
import { familyOf, keyOfUserModel, modelOf } from './chosen-model'
import { costTermsOf } from './cost-terms'
import { recommendationOf } from './session-advice'
import { knownAxis, layoutSweep, nextBatch, tableBatches, tableWindows } from './sweep-chart'

describe('the model', () => {
  test('is the one the transcript names, until another is chosen', async () => {
    const text = JSON.stringify({ model: 'claude-sonnet-5', messages: MESSAGES })
    const { store, actions } = await opened(text)
    const named = { key: 'anthropic/claude-sonnet-5', source: 'document' }
    expect(modelOf(store.getState())).toMatchObject(named)
    expect(familyOf(store.getState()).isExact).toBe(false)
    expect(costTermsOf(store.getState())?.family.id).toBe('anthropic-1024')
    actions.chooseModel('openai/gpt-5-mini')
    expect(modelOf(store.getState())).toMatchObject({ name: 'GPT-5 mini', source: 'chosen' })
  })

  test('with another encoding is replayed with its own counts', async () => {
    const playground = await opened()
    const { store, actions } = playground
    actions.chooseModel('openai/gpt-4')
    await swept(playground)
    const state = store.getState()
    expect(familyOf(state).encoding).toBe('cl100k_base')
    expect(replayOf(state)).toEqual(await replayedApart(state))
  })

  test('that is not in the price data has unknown costs', async () => {
    const { store } = await opened(SESSION, spawnInline, 'm=nobody/nothing-1')
    const state = store.getState()
    expect(modelOf(state)?.listed).toBeUndefined()
    const unknown = { plain: undefined, cached: undefined, output: undefined }
    expect(replayOf(state)?.after.costs).toEqual(unknown)
    expect(recommendationOf(state)?.state).toBe('price_unknown')
    expect(costTermsOf(state)?.ruleOrigin).toBe('unknown')
  })

  test('in an old link that names a family is a model of that family', async () => {
    const book = await loadPriceBook()
    const names = 'gpt-5 gpt-4o gpt-oss gpt-4 claude gemini deepseek kimi qwen mistral'
    for (const family of names.split(' ')) {
      const playground = createPlayground(spawnInline)
      applySettings(playground, `m=${family}`)
      playground.store.setState({ priceBook: book })
      const model = modelOf(playground.store.getState())
      expect(model?.listed, family).toBeDefined()
      expect(model?.family.id).toBe(family)
      expect(playground.store.getState().notices).toEqual([])
    }
  })
})

describe('model overrides', () => {
  test('replace listed ones until removed', async () => {
    const playground = await opened()
    const { store, actions } = playground
    const listed = costTermsOf(store.getState())?.prices.input
    actions.changeModelOverrides('openai/gpt-5', { input: 10, cacheFamily: 'none' })
    const terms = costTermsOf(store.getState())
    expect(terms?.prices.input).toEqual({ price: { base: 10, tiers: [] }, origin: 'user' })
    expect(terms?.ruleOrigin).toBe('user')
    expect(terms?.terms.rule.kind).toBe('none')
    actions.changeModelOverrides('openai/gpt-5', { input: undefined, cacheFamily: undefined })
    expect(costTermsOf(store.getState())?.prices.input).toEqual(listed)
    expect(store.getState().modelOverrides).toEqual({})
    await swept(playground)
  })

  test('are stored in the browser; only damaged ones are dropped', () => {
    const { storage } = storageInMemory()
    const first = createPlayground(spawnInline)
    syncStored(first.store, storage)
    first.actions.changeModelOverrides('mine', { name: 'Mine', input: 2 })
    const second = createPlayground(spawnInline)
    syncStored(second.store, storage)
    expect(second.store.getState().modelOverrides).toEqual({ mine: { name: 'Mine', input: 2 } })
    const damaged = '{"a":{"input":-1},"b":{"input":"2"},"c":{"output":3},"d":{"cacheFamily":"x"}}'
    expect({ ...readStoredOverrides(damaged) } as OverridesByModel).toEqual({ c: { output: 3 } })
    for (const text of [null, '', 'nonsense', '[]', 'null', '7'])
      expect(Object.keys(readStoredOverrides(text))).toEqual([])
  })

  test('work without storage', () => {
    const { store, actions } = createPlayground(spawnInline)
    syncStored(store, REFUSED)
    actions.changeModelOverrides('mine', { input: 2 })
    expect(store.getState().modelOverrides).toEqual({ mine: { input: 2 } })
  })
})

test('the default model has its prices without the list; another one waits for it', async () => {
  let asked = 0
  let give = () => {}
  const { store, actions } = createPlayground(spawnInline, async (day) => {
    asked++
    await new Promise<void>((resolve) => {
      give = resolve
    })
    return loadPriceBook(day)
  })
  actions.openText(SESSION, 'session.json', { kind: 'file' })
  await eventually(() => expect(figuresOf(store.getState())?.before.costs.cached).toBeDefined())
  expect(asked).toBe(0)
  const own = costTermsOf(store.getState())
  actions.chooseModel('anthropic/claude-sonnet-4-5')
  await eventually(() => expect(asked).toBe(1))
  expect(costTermsOf(store.getState())).toBeUndefined()
  expect(figuresOf(store.getState())).toBeUndefined()
  give()
  await eventually(() => expect(costTermsOf(store.getState())).toBeDefined())
  expect(modelOf(store.getState())?.providerName).toBe('Anthropic')
  store.setState({ model: undefined })
  expect(costTermsOf(store.getState())).toEqual(own)
})

test('a model the user added has unknown prices until they are set', async () => {
  const { store, actions } = await opened()
  const key = keyOfUserModel('gpt-5 of ours')
  actions.changeModelOverrides(key, { name: 'gpt-5 of ours' })
  actions.chooseModel(key)
  await eventually(() => expect(modelOf(store.getState())).toBeDefined())
  expect(modelOf(store.getState())).toMatchObject({ name: 'gpt-5 of ours', listed: undefined })
  expect(familyOf(store.getState()).id).toBe('gpt-5')
  expect(costTermsOf(store.getState())?.prices.input).toBeUndefined()
  actions.changeModelOverrides(key, { input: 2 })
  const derived = { price: { base: 0.2, tiers: [] }, origin: 'cache_rule' }
  expect(costTermsOf(store.getState())?.prices.cachedRead).toEqual(derived)
})

function side(tokens: number) {
  const costs = { plain: tokens, cached: tokens, output: 0 }
  return { tokens, split: { read: 0, written: 0, fresh: tokens }, costs }
}

/** A sweep in which each window more sends a token more. */
function sweepOf(largestWindow: number): Sweep {
  const batches = Array.from({ length: largestWindow - 1 }, (_, index) => index + 1)
  return {
    ...{ sentResults: 1, maskableResults: 1 },
    ...{ batches, windows: batches, largestWindow, before: side(100) },
    rows: batches.map((batch) => {
      const values = Float64Array.from({ length: largestWindow - batch }, (_, at) => 50 + at)
      const none = values.map(() => 0)
      const losses = { uses: none, results: none, refetchPlain: none, refetchCached: none }
      return { tokens: values, plain: values, cached: values, output: values, ...losses }
    }),
  }
}

test('has a line for the current batch and one for the best, up to the window that masks nothing', () => {
  const chart = layoutSweep(sweepOf(6), 'cached', 4, 2, 6)
  expect(chart.lines.map(({ batchTurns }) => batchTurns)).toEqual([4, 2])
  expect(chart.everything).toBeCloseTo(1 - 100 / 108)
  const point = pointAt(sweepOf(6), { windowTurns: 3, batchTurns: 1 })
  expect(point && chart.placeOf(point)).toEqual({ x: 0.5, y: 1 - 52 / 108 })
  // Windows 1 and 2 mask; 3 to 6 send everything.
  expect(chart.lines[0]?.path).toBe('M166.7 537L333.3 527.8L500 74.1L1000 74.1')
})

test('a batch that masks nothing is a flat line, and windows beyond the slider are not drawn', () => {
  const flat = layoutSweep(sweepOf(4), 'tokens', 9, undefined, 4)
  expect(flat.lines.map(({ path }) => path)).toEqual(['M250 74.1L1000 74.1'])
  const cut = layoutSweep(sweepOf(10), 'tokens', 1, undefined, 2)
  expect(cut.lines[0]?.path.match(/[ML]/g)).toHaveLength(2)
})

test('tokens are drawn if a price is unknown', () => {
  const before = { ...side(100), costs: { plain: 1, cached: undefined, output: 1 } }
  expect(knownAxis('cached', { ...sweepOf(3), before })).toBe('tokens')
  expect(knownAxis('plain', sweepOf(3))).toBe('plain')
})

test('the table has small windows and the usual batches, the current, largest and best ones', () => {
  expect(tableWindows(sweepOf(20), 7)).toEqual([1, 2, 3, 4, 6, 7, 8, 12, 16, 20])
  expect(tableWindows(sweepOf(1), 8)).toEqual([1])
  const best = pointAt(sweepOf(60), { windowTurns: 8, batchTurns: 27 })
  expect(tableBatches(5, best)).toEqual([1, 2, 4, 5, 8, 16, 27, 32])
  expect(tableBatches(8, undefined)).toEqual([1, 2, 4, 8, 16, 32])
})

test('steps go through a few batches, from any current batch', () => {
  const next = [nextBatch(1, 1), nextBatch(5, 1), nextBatch(5, -1), nextBatch(32, 1)]
  expect(next).toEqual([4, 8, 4, 32])
})
