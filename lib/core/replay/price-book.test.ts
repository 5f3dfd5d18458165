import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
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
  const fetched = vi.fn()
  beforeEach(() => vi.stubGlobal('fetch', fetched))
  afterEach(() => vi.unstubAllGlobals())

  test('uses the bundled data and fetches nothing', async () => {
    const { models, find } = await loadPriceBook()
    expect(models.length).toBeGreaterThan(500)
    expect(find('gpt-5')).toBeDefined()
    expect(fetched).not.toHaveBeenCalled()
  })

  test.each([PRICE_DATA.date, '2026-01-01', '2036-01-01'])(
    'has the prices of the models that are known without the list, on %s',
    async (day) => {
      const { source, version, date, find } = await loadPriceBook(day)
      expect(FIRST_PRICE_BOOK).toMatchObject({ source, version, date })
      for (const name of ['gpt-5', 'gpt-5.1'])
        expect(FIRST_PRICE_BOOK.find(name)).toEqual(find(name))
      expect(FIRST_PRICE_BOOK.models).toHaveLength(2)
      expect(FIRST_PRICE_BOOK.find('gpt-5-mini')).toBeUndefined()
    },
  )

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
    expect(then.find('deepseek-v4-pro')?.pricesUntil).toBe('2026-08-16')
    expect(now.find('deepseek-v4-pro')?.pricesUntil).toBeUndefined()
    const listed = now.models.find(
      ({ id, providerId }) => providerId === 'deepseek' && id === 'deepseek-v4-pro',
    )
    expect(listed?.input?.base).toBe(0.66)
  })

  test('has newer prices than the bundled data, by name, alias and date, but not for other platforms', async () => {
    const { find, models } = await loadPriceBook()
    expect(find('gpt-6.1-sol')).toMatchObject({
      providerId: 'openai',
      input: { base: 2, tiers: [{ above: 272_000, price: 4 }] },
      cachedRead: { base: 0.1 },
      cacheWrite: { base: 2.5 },
      overlay: { date: '2026-10-01' },
    })
    for (const name of ['deepseek-flash', 'deepseek/deepseek-v4-flash', 'deepseek-v4-flash-0731'])
      expect(find(name)).toMatchObject({ input: { base: 0.15 }, cachedRead: { base: 0.003 } })
    expect(find('openrouter/deepseek/deepseek-v4-flash')?.overlay).toBeUndefined()
    // The bundled data takes this model for Claude Sonnet 5.
    for (const name of ['claude-sonnet-5-5', 'my-gateway/claude-sonnet-5-5'])
      expect(find(name)).toMatchObject({
        name: 'Claude Sonnet 5.5',
        input: { base: 2, tiers: [] },
        cacheWriteHour: { base: 4, tiers: [] },
        output: { base: 10, tiers: [] },
      })
    expect(find('gpt-6.1-sol', 'openai')?.overlay).toBeDefined()
    expect(find('gpt-6.1-sol', 'azure')).toBeUndefined()
    // The bundled list has it with older prices.
    const alias = models.filter(({ id }) => id === 'deepseek-v4-flash')
    expect(alias.find(({ providerId }) => providerId === 'deepseek')?.overlay).toBeDefined()
    expect(alias.some(({ overlay }) => overlay === undefined)).toBe(true)
    expect(find('anthropic.claude-haiku-5-5')?.input?.base).toBe(0.1)
    for (const row of PRICE_OVERLAY) {
      const listed = models.filter(
        ({ id, providerId }) => id === row.id && providerId === row.providerId,
      )
      expect(listed.map(({ name }) => name)).toEqual([row.name])
    }
  })

  test('knows when prices end: the next ones apply, or none are known', async () => {
    const [november, december] = [
      await loadPriceBook('2026-11-30'),
      await loadPriceBook('2026-12-01'),
    ]
    expect(november.find('gemini-4-argon')).toMatchObject({
      input: { base: 2 },
      pricesUntil: '2026-11-30',
      havePricesEnded: false,
    })
    expect(december.find('gemini-4-argon')).toMatchObject({
      input: { base: 4 },
      cachedRead: { base: 0.2 },
      pricesUntil: undefined,
      havePricesEnded: false,
    })
    expect(december.find('gemini-3.8-flash')).toMatchObject({
      pricesUntil: '2026-12-31',
      changesByHour: false,
    })
    expect(december.find('gpt-5')?.pricesUntil).toBeUndefined()
    const [row] = PRICE_OVERLAY
    const launch = { ...(row as NonNullable<typeof row>), until: '2026-11-30' }
    const on = (day: string) => overlayModel(launch, new Date(`${day}T12:00:00Z`))
    expect(on('2026-11-30')).toMatchObject({ pricesUntil: '2026-11-30', havePricesEnded: false })
    expect(on('2026-12-01')).toMatchObject({ pricesUntil: '2026-11-30', havePricesEnded: true })
  })

  test('finds the prices of a platform by its ids', async () => {
    const { find } = await loadPriceBook()
    const id = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
    for (const name of [id, `bedrock/${id}`, `bedrock/us-east-1/${id}`])
      expect(find(name)).toMatchObject({ id, providerId: 'aws', input: { base: 3.3 } })
    expect(find('openai/gpt-5:online')).toMatchObject({ input: { base: 1.25 } })
    expect(find('claude-opus-4-5@20251101')?.name).toBe('Claude Opus 4.5')
    expect(find('azure/gpt-4o')?.providerId).toBe('azure')
    expect(find('gpt-4o', 'azure')?.providerId).toBe('azure')
    expect(find('openrouter/openai/gpt-4o')).toMatchObject({ providerId: 'openrouter' })
    // A variant with prices of its own, and one without.
    expect(find('my-gateway/gpt-4o:extended')?.input?.base).toBe(6)
    expect(find('my-gateway/gpt-4o:free')?.input?.base).toBe(2.5)
  })

  test.each([PRICE_DATA.date, '2026-08-01'])(
    'lists every model with the prices that find returns, on %s',
    async (day) => {
      const { models, find } = await loadPriceBook(day)
      const makers = models.filter(({ providerId }) => MAKERS.includes(providerId))
      expect(makers.length).toBeGreaterThan(100)
      for (const model of makers) {
        const found = find(model.id, model.providerId)
        // A name such as gpt-4o-mini-2024-07-18.ft- is a beginning, and is not looked up by itself.
        if (found !== undefined && found.name === model.name) expect(found).toEqual(model)
      }
    },
  )

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
    for (const { source, date, isQuoted = false } of PRICE_OVERLAY) {
      expect(date).toMatch(/^2026-\d\d-\d\d$/)
      const isOfProvider = /^https:\/\/[\w.-]+\.(claude\.com|google\.dev|deepseek\.com)\//.test(
        source,
      )
      expect(source).toMatch(/^https:/)
      expect(isQuoted, source).toBe(!isOfProvider)
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
    for (const day of ['2026-11-30', '2026-12-01']) {
      for (const row of PRICE_OVERLAY) {
        const { name, input, cachedRead, cacheWrite, cacheWriteHour, output } = overlayModel(
          row,
          new Date(`${day}T12:00:00Z`),
        )
        const listed = [input, cachedRead, cacheWrite, cacheWriteHour, output].flatMap(
          (price) => price ?? [],
        )
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

describe('a name of the overlay', () => {
  test.each([
    ['gpt-6.1', 'GPT-6.1 Sol'],
    ['openai/gpt-6.1-sol', 'GPT-6.1 Sol'],
    ['claude-haiku-5-5-20261007', 'Claude Haiku 5.5'],
    ['anthropic/claude-haiku-5.5', 'Claude Haiku 5.5'],
    ['claude-sonnet-5.5', 'Claude Sonnet 5.5'],
    ['gemini-4', 'Gemini 4 Argon'],
    ['deepseek-ai/DeepSeek-V4.1-Flash', 'DeepSeek V4.1 Flash'],
    ['deepseek-v4-flash-vision-exp', 'DeepSeek V4.1 Flash'],
    ['moonshotai/Kimi-K3.1', 'Kimi K3.1 Pro'],
    ['kimi-k3-1', 'Kimi K3.1 Pro'],
    ['kimi-k3-1-pro', 'Kimi K3.1 Pro'],
    ['kimi-k3.1-pro-highspeed', 'Kimi K3.1 Pro Highspeed'],
    ['x-ai/grok-4.7', 'Grok 4.7'],
    ['qwen3.8-max-0902', 'Qwen3.8 Max'],
    ['qwen3.7-max', 'Qwen3.7 Max'],
  ])('%s is that of %s', (id, name) => {
    expect(overlayModelOf(id)?.name).toBe(name)
  })

  test('of another model that begins alike is that of none', () => {
    const others = 'gpt-6.1-sol-mini gpt-6.1-sol-mini-2026-10-01 gemini-4-5-argon grok-4.75'
    for (const id of [...others.split(' '), '']) expect(overlayModelOf(id), id).toBeUndefined()
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

  test('has the listed price of a write only where the rule charges for writing', async () => {
    const { find } = await loadPriceBook()
    const write = (id: string) =>
      priceSheet(find('qwen3.7-max'), cacheFamilyById(id) ?? NO_CACHE).cacheWrite
    // The listed price of 3.125 is for the explicit cache.
    expect(write('qwen')).toMatchObject({ price: { base: 2.5 }, origin: 'cache_rule' })
    expect(write('qwen-explicit')).toMatchObject({ price: { base: 3.125 }, origin: 'price_data' })
  })

  test('has no price where none is known', () => {
    for (const family of [NO_CACHE, ...CACHE_FAMILIES])
      expect(priceSheet(undefined, family)).toEqual(UNKNOWN_PRICES)
    expect(priceSheet(undefined, NO_CACHE, { input: 1 })).toEqual({
      ...UNKNOWN_PRICES,
      input: { price: { base: 1, tiers: [] }, origin: 'user' },
    })
    expect(UNKNOWN_PRICES).toEqual({
      input: undefined,
      cachedRead: undefined,
      cacheWrite: undefined,
      output: undefined,
    })
  })
})
