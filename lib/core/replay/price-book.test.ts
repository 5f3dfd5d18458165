import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { CACHE_FAMILIES, cacheFamilyById, cacheFamilyOf, NO_CACHE } from './cache-rules'
import {
  FIRST_PRICE_BOOK,
  loadPriceBook,
  overlayModel,
  overlayModelOf,
  PRICE_DATA,
  PRICE_OVERLAY,
} from './price-book'
import { priceSheet, UNKNOWN_PRICES } from './price-sheet'

/** Providers of which some models have prices by day or by hour. */
const MAKERS = ['openai', 'anthropic', 'deepseek', 'google', 'mistral', 'x-ai']

describe('price book', () => {
  test('uses the bundled data and fetches nothing', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { models, find } = await loadPriceBook()
    expect(models.length).toBeGreaterThan(500)
    expect(find('gpt-5')).toBeDefined()
    expect(fetched).not.toHaveBeenCalled()
  })

  const DAYS = [PRICE_DATA.date, '2026-01-01', '2036-01-01']
  test.each(DAYS)('has the prices of the models known without the list, on %s', async (day) => {
    const { source, version, date, find } = await loadPriceBook(day)
    expect(FIRST_PRICE_BOOK).toMatchObject({ source, version, date })
    for (const name of ['gpt-5', 'gpt-5.1']) expect(FIRST_PRICE_BOOK.find(name)).toEqual(find(name))
    expect(FIRST_PRICE_BOOK.models).toHaveLength(2)
    expect(FIRST_PRICE_BOOK.find('gpt-5-mini')).toBeUndefined()
  })

  test('names the installed version, so that the date is updated with it', () => {
    const manifest = 'node_modules/@pydantic/genai-prices/package.json'
    expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe(PRICE_DATA.version)
  })

  const flat = (base: number) => ({ base, tiers: [] })
  const gpt = 'gpt-4o openai/gpt-4o gpt-4o-2024-08-06'
  const deepseek = 'deepseek-flash deepseek/deepseek-v4-flash deepseek-v4-flash-0731'
  const bedrock = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
  const bedrocks = `${bedrock} bedrock/${bedrock} bedrock/us-east-1/${bedrock}`
  const sonnet = { input: flat(2), cacheWriteHour: flat(4), output: flat(10) }
  test.each<readonly [names: string, found: object]>([
    [gpt, { providerId: 'openai', input: flat(2.5), cachedRead: flat(1.25), output: flat(10) }],
    ['claude-sonnet-4-5', { input: { base: 3, tiers: [{ above: 200_000, price: 6 }] } }],
    // Newer prices than those of the bundled data, by name, alias and date.
    ['gpt-6.1-sol', { providerId: 'openai', overlay: { date: '2026-10-01' } }],
    ['gpt-6.1-sol', { input: { base: 2, tiers: [{ above: 272_000, price: 4 }] } }],
    ['gpt-6.1-sol', { cachedRead: { base: 0.1 }, cacheWrite: { base: 2.5 } }],
    [deepseek, { input: { base: 0.15 }, cachedRead: { base: 0.003 } }],
    // The bundled data takes this model for Claude Sonnet 5.
    ['claude-sonnet-5-5 my-gateway/claude-sonnet-5-5', { name: 'Claude Sonnet 5.5', ...sonnet }],
    ['anthropic.claude-haiku-5-5', { input: { base: 0.1 } }],
    // The prices of a platform, by its ids.
    [bedrocks, { id: bedrock, providerId: 'aws', input: { base: 3.3 } }],
    ['openai/gpt-5:online', { input: { base: 1.25 } }],
    ['claude-opus-4-5@20251101', { name: 'Claude Opus 4.5' }],
    ['azure/gpt-4o', { providerId: 'azure' }],
    ['openrouter/openai/gpt-4o', { providerId: 'openrouter' }],
    ['openrouter/deepseek/deepseek-v4-flash', { overlay: undefined }],
    // A variant with prices of its own, and one without.
    ['my-gateway/gpt-4o:extended', { input: { base: 6 } }],
    ['my-gateway/gpt-4o:free', { input: { base: 2.5 } }],
  ])('finds %s', async (names, found) => {
    const { find } = await loadPriceBook()
    for (const name of names.split(' ')) expect(find(name), name).toMatchObject(found)
  })

  test('finds a model of a provider', async () => {
    const { find } = await loadPriceBook()
    expect(find('gpt-4o', 'azure')?.providerId).toBe('azure')
    expect(find('gpt-6.1-sol', 'openai')?.overlay).toBeDefined()
    expect(find('gpt-6.1-sol', 'azure')).toBeUndefined()
  })

  test('lists the newer prices once, for no other platform', async () => {
    const { models } = await loadPriceBook()
    const alias = models.filter(({ id }) => id === 'deepseek-v4-flash')
    expect(alias.find(({ providerId }) => providerId === 'deepseek')?.overlay).toBeDefined()
    expect(alias.some(({ overlay }) => overlay === undefined)).toBe(true)
    for (const { id, providerId, name } of PRICE_OVERLAY) {
      const listed = models.filter((model) => model.id === id && model.providerId === providerId)
      expect(listed.map((model) => model.name)).toEqual([name])
    }
  })

  test('has the prices of a day and marks those that change by the hour', async () => {
    const id = 'deepseek-v4-pro'
    const [then, now] = [await loadPriceBook('2026-08-01'), await loadPriceBook('2026-09-01')]
    expect(then.find(id)).toMatchObject({ input: { base: 0.435 }, pricesUntil: '2026-08-16' })
    const next = { input: { base: 0.66 }, changesByHour: true, pricesUntil: undefined }
    expect(now.find(id)).toMatchObject(next)
    const listed = now.models.filter((model) => model.id === id)
    expect(listed.find(({ providerId }) => providerId === 'deepseek')).toMatchObject(next)
  })

  test('knows when prices end: the next ones apply, or none are known', async () => {
    const pricesOn = async (day: string, id: string) => (await loadPriceBook(day)).find(id)
    const ended = { pricesUntil: undefined, havePricesEnded: false }
    const [last, next] = ['2026-11-30', '2026-12-01']
    const until = { pricesUntil: last, havePricesEnded: false }
    const argon = 'gemini-4-argon'
    expect(await pricesOn(last, argon)).toMatchObject({ ...until, input: { base: 2 } })
    const later = { ...ended, input: { base: 4 }, cachedRead: { base: 0.2 } }
    expect(await pricesOn(next, argon)).toMatchObject(later)
    const flash = { pricesUntil: '2026-12-31', changesByHour: false }
    expect(await pricesOn(next, 'gemini-3.8-flash')).toMatchObject(flash)
    expect((await pricesOn(next, 'gpt-5'))?.pricesUntil).toBeUndefined()
    const launch = { ...(PRICE_OVERLAY[0] as (typeof PRICE_OVERLAY)[number]), until: last }
    const on = (day: string) => overlayModel(launch, new Date(`${day}T12:00:00Z`))
    expect(on(last)).toMatchObject(until)
    expect(on(next)).toMatchObject({ ...until, havePricesEnded: true })
  })

  test.each([PRICE_DATA.date, '2026-08-01'])('lists the prices of find, on %s', async (day) => {
    const { models, find } = await loadPriceBook(day)
    const makers = models.filter(({ providerId }) => MAKERS.includes(providerId))
    expect(makers.length).toBeGreaterThan(100)
    for (const model of makers) {
      const found = find(model.id, model.providerId)
      // A name such as gpt-4o-mini-2024-07-18.ft- is a beginning, and is not looked up by itself.
      if (found !== undefined && found.name === model.name) expect(found).toEqual(model)
    }
  })

  test('lists models with prices of input and output, and tiers that ascend', async () => {
    const { models } = await loadPriceBook()
    const ids = models.map(({ id, providerId }) => `${providerId}:${id}`)
    expect(new Set(ids).size).toBe(models.length)
    // The bundled data has no price of its output.
    expect(ids).not.toContain('openai:text-embedding-3-small')
    expect(ids).not.toContain('cerebras:llama3.1-8b')
    for (const { id, input, cachedRead, cacheWrite, output } of models) {
      expect([typeof input?.base, typeof output?.base], id).toEqual(['number', 'number'])
      for (const price of [input, cachedRead, cacheWrite, output]) {
        const starts = price?.tiers.map(({ above }) => above) ?? []
        expect(starts, id).toEqual([...starts].sort((a, b) => a - b))
      }
    }
  })
})

describe('every row of the overlay', () => {
  test('has a source and its date, and says so if the source is not the page of the provider', () => {
    const ofProvider = /^https:\/\/[\w.-]+\.(claude\.com|google\.dev|deepseek\.com)\//
    for (const { source, date, isQuoted = false } of PRICE_OVERLAY) {
      expect(date).toMatch(/^2026-\d\d-\d\d$/)
      expect(source).toMatch(/^https:/)
      expect(isQuoted, source).toBe(!ofProvider.test(source))
    }
  })

  test('has ids and a name of its own, and the provider as the bundled data writes it', async () => {
    const ids = PRICE_OVERLAY.flatMap(({ id, aliases }) => [id, ...aliases])
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z\d.-]+$/)
    expect(new Set(ids).size).toBe(ids.length)
    const names = PRICE_OVERLAY.map(({ name }) => name)
    for (const name of names) expect(name).toMatch(/^[A-Z]/)
    expect(new Set(names).size).toBe(names.length)
    const { models } = await loadPriceBook()
    const others = models.filter(({ overlay }) => overlay === undefined)
    const providers = new Map(others.map((model) => [model.providerId, model.providerName]))
    // The bundled data has no models of Alibaba's own platform.
    providers.set('alibaba', 'Alibaba Cloud Model Studio')
    for (const { providerId, providerName } of PRICE_OVERLAY)
      expect(providers.get(providerId)).toBe(providerName)
  })

  test('has prices that ascend from reads to input, writes and output, and with the length of a request', () => {
    for (const day of ['2026-11-30', '2026-12-01'].map((date) => new Date(`${date}T12:00:00Z`))) {
      for (const row of PRICE_OVERLAY) {
        const { name, input, cachedRead, output, ...model } = overlayModel(row, day)
        const { cacheWrite, cacheWriteHour } = model
        const all = [input, cachedRead, cacheWrite, cacheWriteHour, output]
        const listed = all.filter((price) => price !== undefined)
        // All kinds have the same limit, and cost more above it.
        expect(new Set(listed.map(({ tiers }) => tiers[0]?.above)).size, name).toBe(1)
        for (const { base, tiers } of listed)
          for (const { price } of tiers) expect(price, name).toBeGreaterThan(base)
        const levels = [(one = input) => one?.base, (one = input) => one?.tiers[0]?.price]
        for (const of of levels) {
          const price = of()
          if (price === undefined) continue
          expect(cachedRead === undefined ? 0 : of(cachedRead), name).toBeLessThan(price)
          expect(of(output), name).toBeGreaterThan(price)
          if (cacheWrite !== undefined) expect(of(cacheWrite), name).toBeCloseTo(price * 1.25, 9)
          if (cacheWriteHour !== undefined)
            expect(of(cacheWriteHour), name).toBeCloseTo(price * 2, 9)
        }
      }
    }
  })
})

test.each([
  ['GPT-6.1 Sol', 'gpt-6.1 openai/gpt-6.1-sol'],
  ['Claude Haiku 5.5', 'claude-haiku-5-5-20261007 anthropic/claude-haiku-5.5'],
  ['Claude Sonnet 5.5', 'claude-sonnet-5.5'],
  ['Gemini 4 Argon', 'gemini-4'],
  ['DeepSeek V4.1 Flash', 'deepseek-ai/DeepSeek-V4.1-Flash deepseek-v4-flash-vision-exp'],
  ['Kimi K3.1 Pro', 'moonshotai/Kimi-K3.1 kimi-k3-1 kimi-k3-1-pro'],
  ['Kimi K3.1 Pro Highspeed', 'kimi-k3.1-pro-highspeed'],
  ['Grok 4.7', 'x-ai/grok-4.7'],
  ['Qwen3.8 Max', 'qwen3.8-max-0902'],
  ['Qwen3.7 Max', 'qwen3.7-max'],
  // Other models that begin alike, and no name.
  [undefined, 'gpt-6.1-sol-mini gpt-6.1-sol-mini-2026-10-01 gemini-4-5-argon grok-4.75'],
  [undefined, ''],
])('the overlay has %s by the names %s', (name, ids) => {
  for (const id of ids.split(' ')) expect(overlayModelOf(id)?.name, id).toBe(name)
})

describe('price sheet', () => {
  test('uses the override, then the listed price, then the input price times the factor of the family', async () => {
    const { find } = await loadPriceBook()
    const sheet = priceSheet(find('gpt-4o'), cacheFamilyOf('gpt-4o') ?? NO_CACHE, { output: 7 })
    const flat = (base: number, origin: string) => ({ price: { base, tiers: [] }, origin })
    expect(sheet).toEqual({
      input: flat(2.5, 'price_data'),
      cachedRead: flat(1.25, 'price_data'),
      cacheWrite: flat(2.5, 'cache_rule'),
      output: flat(7, 'user'),
    })
  })

  // A write has the listed price only where the rule charges for writing: 3.125 is for the explicit cache.
  test.each([
    ['claude-sonnet-5', 'anthropic-1024', 2.5, 'price_data'],
    ['claude-sonnet-5', 'anthropic-1024-1h', 4, 'price_data'],
    ['qwen3.7-max', 'qwen', 2.5, 'cache_rule'],
    ['qwen3.7-max', 'qwen-explicit', 3.125, 'price_data'],
  ])('a write of %s under the rule %s costs %d', async (model, id, base, origin) => {
    const { find } = await loadPriceBook()
    const { cacheWrite } = priceSheet(find(model), cacheFamilyById(id) ?? NO_CACHE)
    expect(cacheWrite).toMatchObject({ price: { base }, origin })
  })

  test('has no price where none is known', () => {
    for (const family of [NO_CACHE, ...CACHE_FAMILIES])
      expect(priceSheet(undefined, family)).toEqual(UNKNOWN_PRICES)
    const input = { price: { base: 1, tiers: [] }, origin: 'user' }
    const sheet = priceSheet(undefined, NO_CACHE, { input: 1 })
    expect(sheet).toEqual({ ...UNKNOWN_PRICES, input })
  })
})
