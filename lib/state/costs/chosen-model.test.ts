import { describe, expect, test } from 'vitest'
import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import type { Sweep } from '@/lib/core/replay/sweep'
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
import { costAt, listedAt, mapAxes } from './setting-map'

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

  test.each(['nobody/nothing-1', 'GPT-/5', 'GPT-\n5', '/', '[a', '__proto__/constructor'])(
    'that is not in the price data has unknown costs: %j',
    async (model) => {
      const playground = await opened()
      playground.actions.chooseModel(model)
      await swept(playground)
      const state = playground.store.getState()
      expect(modelOf(state)).toMatchObject({ name: model, listed: undefined })
      const unknown = { plain: undefined, cached: undefined, output: undefined }
      expect(replayOf(state)?.after.costs).toEqual(unknown)
      expect(recommendationOf(state)?.state).toBe('price_unknown')
      expect(costTermsOf(state)?.ruleOrigin).toBe('unknown')
    },
  )

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

test('the map has windows near powers of two, one that masks nothing, the usual steps and the recommended setting', () => {
  const best = { windowTurns: 7, batchTurns: 9 }
  expect(mapAxes(sweepOf(20), best)).toEqual({
    windows: [1, 2, 4, 7, 8, 16, 20],
    batches: [1, 2, 4, 8, 9, 16, 32],
  })
  const withAuto: Sweep = { ...sweepOf(20), batches: [1, 'auto'] }
  expect(mapAxes(withAuto, undefined).batches.at(-1)).toBe('auto')
  expect(mapAxes(sweepOf(1), undefined).windows).toEqual([1])
  const sparse = { ...sweepOf(20), windows: [1, 3, 9], largestWindow: 3000 }
  expect(mapAxes(sparse, undefined).windows).toEqual([1, 3, 9, 3000])
  // The smallest are left out where they are too many.
  const { windows } = mapAxes(sweepOf(1100), best)
  expect(windows).toEqual([7, 8, 16, 32, 64, 128, 256, 512, 1024, 1100])
})

test('the map marks what is not listed at the largest listed below', () => {
  expect([0, 1, 3, 8, 99].map((value) => listedAt([1, 2, 4, 8], value))).toEqual([1, 1, 2, 8, 8])
  expect(listedAt([], 8)).toBeUndefined()
  expect([listedAt([1, 'auto'], 8), listedAt([1, 'auto'], 'auto')]).toEqual([1, 'auto'])
  expect(listedAt<number | 'auto'>([1, 2], 'auto')).toBe(1)
})

test('a setting costs what was swept, at worst with everything lost, and tokens if a price is unknown', () => {
  const setting = { windowTurns: 3, batchTurns: 1 }
  const known = { before: 100, after: 52, worst: 52, lostUses: 0, isPriced: true }
  expect(costAt(sweepOf(6), setting)).toEqual(known)
  expect(costAt(sweepOf(6), { windowTurns: 5, batchTurns: 4 })).toMatchObject({ after: 100 })
  const before = { ...side(100), costs: { plain: 1, cached: undefined, output: 1 } }
  const unpriced = costAt({ ...sweepOf(6), before }, setting)
  expect(unpriced).toEqual({ ...known, worst: undefined, isPriced: false })
  expect(costAt({ ...sweepOf(6), windows: [1] }, setting)).toBeUndefined()
})
