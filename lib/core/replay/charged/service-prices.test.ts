/** The bill of one request whose usage names a service, as transcripts state it. */
import { expect, test } from 'vitest'
import { usageOfAnswer } from '../../formats/reading/read-usage'
import { cacheFamilyById, NO_CACHE } from '../cache-rules'
import { loadPriceBook } from '../price-book'
import { priceSheet } from '../price-sheet'
import { chargeOf, priceVariantsOf } from './charge'

const book = await loadPriceBook('2026-11-01')

/** The charge for 1,000 tokens of input and as many of output. */
function chargeFor(model: string, inUsage: object, beside: object = {}) {
  const isClaude = model.startsWith('claude')
  const counts = isClaude
    ? { input_tokens: 1000, cache_read_input_tokens: 0, output_tokens: 1000 }
    : { prompt_tokens: 1000, completion_tokens: 1000 }
  const usage = usageOfAnswer({ model, ...beside, usage: { ...counts, ...inUsage } })
  if (usage === undefined) throw new Error('no usage')
  const family = cacheFamilyById('anthropic-1024') ?? NO_CACHE
  const sheetOfFamily = () => priceSheet(book.find(model), family)
  const variants = priceVariantsOf([{ requests: [{ usage }] }], { model, family, sheetOfFamily })
  return chargeOf(usage, { prices: sheetOfFamily(), rule: { kind: 'none' }, variants })
}

test.each([
  ['claude-opus-4-6', { speed: 'fast', service_tier: 'standard' }, {}, 6],
  ['claude-opus-4-8', { speed: 'fast' }, {}, 2],
  ['claude-opus-4-6', { service_tier: 'batch' }, {}, 0.5],
  ['claude-opus-4-6', { inference_geo: 'us' }, {}, 1.1],
  ['claude-opus-4-6', { speed: 'fast', inference_geo: 'us' }, {}, 6.6],
  ['claude-opus-4-5', { inference_geo: 'global', service_tier: 'standard' }, {}, 1],
  ['gpt-5.4', {}, { service_tier: 'flex' }, 0.5],
  ['gpt-5.4', {}, { service_tier: 'priority' }, 2],
  ['gpt-5.4', {}, { service_tier: 'default' }, 1],
] as const)('%s with %j and %j beside costs the standard price times a factor', (...row) => {
  const [model, inUsage, beside, factor] = row
  const standard = chargeFor(model, {})
  const charge = chargeFor(model, inUsage, beside)
  expect(charge.inputCost).toBeCloseTo((standard.inputCost as number) * factor, 9)
  expect(charge.outputCost).toBeCloseTo((standard.outputCost as number) * factor, 9)
  expect(charge.services?.every(({ price }) => price?.date !== undefined)).toBe(true)
})

test.each([
  ['speed=warp', { speed: 'warp' }],
  ['search_context_size=high', { search_context_size: 'high' }],
  ['fast_mode', { fast_mode: true, queue_time: 3, iterations: [] }],
  ['premium_tokens', { premium_tokens: 500, is_other: false, other_tokens: 0 }],
  ['audio_tokens', { input_tokens_details: { audio_tokens: 7, text_tokens: 3 } }],
  ['ephemeral_1d_input_tokens', { cache_creation: { ephemeral_1d_input_tokens: 100 } }],
  ['code_runs', { server_tool_use: { code_runs: 5, web_fetch_requests: 2 } }],
])('%s has no known price: it is named, at the standard price', (name, usage) => {
  const charge = chargeFor('claude-opus-4-6', usage)
  expect(charge.services).toEqual([{ name, price: undefined }])
  expect(charge.inputCost).toBe(chargeFor('claude-opus-4-6', {}).inputCost)
})

test('each search of the web is charged beside the tokens', () => {
  const searches = { server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 } }
  expect(chargeFor('claude-opus-4-6', searches).searchCost).toBeCloseTo(0.03, 9)
})
