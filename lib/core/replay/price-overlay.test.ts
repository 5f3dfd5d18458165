/** The rows of the overlay: what every one of them must have, and which names they answer to. */
import { describe, expect, test } from 'vitest'
import { loadPriceBook } from './price-book'
import { overlayModelOf, PRICE_OVERLAY } from './price-overlay'

describe('every row', () => {
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
    for (const { name, prices } of PRICE_OVERLAY) {
      for (const { until: _, ...listed } of prices) {
        const entries = Object.values(listed).map((price) =>
          typeof price === 'number' ? [price, undefined, price] : price,
        )
        // All kinds have the same limit, and cost more above it.
        expect(new Set(entries.map(([, above]) => above)).size, name).toBe(1)
        for (const [base, above, price] of entries)
          expect((price as number) > (base as number), name).toBe(above !== undefined)
        const { input, cachedRead = 0, cacheWrite, cacheWriteHour, output } = listed
        for (const at of [0, 2]) {
          const of = (price: typeof input) => (typeof price === 'number' ? price : price[at])
          expect(of(cachedRead), name).toBeLessThan(of(input) as number)
          expect(of(output), name).toBeGreaterThan(of(input) as number)
          if (cacheWrite !== undefined)
            expect(of(cacheWrite), name).toBeCloseTo((of(input) as number) * 1.25, 9)
          if (cacheWriteHour !== undefined)
            expect(of(cacheWriteHour), name).toBeCloseTo((of(input) as number) * 2, 9)
        }
      }
    }
  })

  test('is of DeepSeek if its prices change by the hour', () => {
    const hourly = PRICE_OVERLAY.filter(({ changesByHour }) => changesByHour)
    expect(new Set(hourly.map(({ providerId }) => providerId))).toEqual(new Set(['deepseek']))
  })
})

describe('a name', () => {
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
    for (const id of [
      'gpt-6.1-sol-mini',
      'gpt-6.1-sol-mini-2026-10-01',
      'gemini-4-5-argon',
      'grok-4.75',
      '',
    ])
      expect(overlayModelOf(id), id).toBeUndefined()
  })
})
