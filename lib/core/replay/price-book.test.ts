import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheFamilyById, cacheFamilyOf, NO_CACHE } from './cache-rules'
import { loadPriceBook, PRICE_DATA } from './price-book'
import { priceSheet } from './price-sheet'

describe('price book', () => {
  const fetched = vi.fn()
  beforeEach(() => vi.stubGlobal('fetch', fetched))
  afterEach(() => vi.unstubAllGlobals())

  test('uses the bundled data and fetches nothing', async () => {
    const { models, find } = await loadPriceBook()
    expect(models.length).toBeGreaterThan(500)
    expect(find('gpt-5')).toBeDefined()
    expect(fetched).not.toHaveBeenCalled()
  })

  test('names the installed version, so that the date is updated with it', () => {
    const manifest = new URL(
      '../../../node_modules/@pydantic/genai-prices/package.json',
      import.meta.url,
    )
    expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe(PRICE_DATA.version)
  })

  test('finds a model by its name, with a provider, and with a date', async () => {
    const { find } = await loadPriceBook()
    for (const name of ['gpt-4o', 'openai/gpt-4o', 'gpt-4o-2024-08-06']) {
      expect(find(name)).toMatchObject({
        providerId: 'openai',
        input: { base: 2.5, tiers: [] },
        cachedRead: { base: 1.25, tiers: [] },
        cacheWrite: undefined,
        output: { base: 10, tiers: [] },
      })
    }
  })

  test('has tiers by the length of a request', async () => {
    const { find } = await loadPriceBook()
    expect(find('claude-sonnet-4-5')?.input).toEqual({
      base: 3,
      tiers: [{ above: 200_000, price: 6 }],
    })
  })

  test('has the prices of a day and marks those that change by the hour', async () => {
    const [then, now] = [await loadPriceBook('2026-08-01'), await loadPriceBook('2026-09-01')]
    expect(then.find('deepseek-v4-pro')?.input?.base).toBe(0.435)
    expect(now.find('deepseek-v4-pro')).toMatchObject({
      input: { base: 0.66 },
      changesByHour: true,
    })
    const listed = now.models.find(
      ({ id, providerId }) => providerId === 'deepseek' && id === 'deepseek-v4-pro',
    )
    expect(listed?.input?.base).toBe(0.66)
  })

  test('lists every model with the prices that find returns', async () => {
    const { models, find } = await loadPriceBook()
    const openai = models.filter(({ providerId }) => providerId === 'openai')
    expect(openai.length).toBeGreaterThan(20)
    for (const model of openai) {
      const found = find(model.id, model.providerId)
      // A name such as gpt-4o-mini-2024-07-18.ft- is a beginning, and is not looked up by itself.
      if (found !== undefined && found.name === model.name) expect(found).toEqual(model)
    }
  })

  test('does not find an unknown model', async () => {
    const { find } = await loadPriceBook()
    expect(find('my-own-model')).toBeUndefined()
    expect(find('nobody/my-own-model')).toBeUndefined()
  })
})

describe('price sheet', () => {
  test('uses the override, then the listed price, then the input price times the factor of the family', async () => {
    const { find } = await loadPriceBook()
    const family = cacheFamilyOf('gpt-4o')
    const sheet = priceSheet(find('gpt-4o'), family ?? NO_CACHE, { output: 7 })
    expect(sheet).toEqual({
      input: { price: { base: 2.5, tiers: [] }, origin: 'price_data' },
      cachedRead: { price: { base: 1.25, tiers: [] }, origin: 'price_data' },
      cacheWrite: { price: { base: 2.5, tiers: [] }, origin: 'cache_rule' },
      output: { price: { base: 7, tiers: [] }, origin: 'user' },
    })
  })

  test('has a separate price for writes with a lifetime of one hour', async () => {
    const { find } = await loadPriceBook()
    const model = find('claude-sonnet-5')
    const write = (id: string) =>
      priceSheet(model, cacheFamilyById(id) ?? NO_CACHE).cacheWrite?.price.base
    expect([write('anthropic-1024'), write('anthropic-1024-1h')]).toEqual([2.5, 4])
  })

  test('derives cache prices from an overridden input price', async () => {
    const { find } = await loadPriceBook()
    const family = cacheFamilyById('anthropic-1024') ?? NO_CACHE
    const sheet = priceSheet(find('claude-sonnet-5'), family, { input: 3 })
    expect(sheet.cachedRead).toEqual({ price: { base: 0.3, tiers: [] }, origin: 'cache_rule' })
    expect(sheet.cacheWrite).toEqual({ price: { base: 3.75, tiers: [] }, origin: 'cache_rule' })
  })

  test('has no price where none is known', () => {
    expect(priceSheet(undefined, NO_CACHE)).toEqual({
      input: undefined,
      cachedRead: undefined,
      cacheWrite: undefined,
      output: undefined,
    })
  })
})
