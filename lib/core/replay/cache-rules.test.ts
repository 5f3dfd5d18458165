/** The cache rules on the examples that the providers publish, and which model has which rule. */
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices } from '../testing/test-sessions'
import { familyOfModel } from '../tokens/model-families'
import { vendorModelName } from '../tokens/model-name'
import { CACHE_FAMILIES, cacheFamilyById, cacheFamilyOf, NO_CACHE } from './cache-rules'
import { loadPriceBook } from './price-book'
import { priceSheet } from './price-sheet'
import { type CacheRule, type CacheSplit, splitRequest } from './prompt-cache'
import { replay } from './replay'
import { createSession } from './sessions'

type Turn = readonly [role: string, tokens: number, blocks?: number]

/** What each request reads, if messages of these sizes are sent and each assistant message answers a request. */
function readsOf(rule: CacheRule, turns: readonly Turn[]): number[] {
  const messages = turns.map(([role, , blocks = 1]) => ({
    role,
    content: Array.from({ length: blocks }, () => ({ type: 'text', text: 'text' })),
  }))
  const [conversation] = readDocument(JSON.stringify(messages)).conversations
  if (conversation === undefined) throw new RangeError('No conversation.')
  const counts = { messages: turns.map(([, tokens]) => tokens), results: [], perRequest: 0 }
  const { requests } = replay(
    createSession(conversation, counts),
    DEFAULT_POLICY,
    { textOf: () => '', placeholderTokensOf: () => 0 },
    { prices: flatPrices(1, 0.1, 1, 1), rule },
  )
  return requests.map(({ before }) => before.split.read)
}

function ruleOf(id: string): CacheRule {
  const family = cacheFamilyById(id)
  if (family === undefined) throw new RangeError(`No family ${id}.`)
  return family.rule
}

/** The cost of a million such requests at 1 dollar a million tokens of input, by the factors of a family. */
function costOf(id: string, { read, written, fresh }: CacheSplit): number {
  const prices = priceSheet(undefined, cacheFamilyById(id) ?? NO_CACHE, { input: 1 })
  const price = (kind: 'input' | 'cachedRead' | 'cacheWrite') => prices[kind]?.price.base ?? NaN
  return fresh * price('input') + written * price('cacheWrite') + read * price('cachedRead')
}

/** Prices that the providers publish for a million tokens: a rule's factors give those of its cache within half a cent. */
const PRICED: readonly (readonly [
  id: string,
  model: string,
  input: number,
  read: number,
  write: number,
])[] = [
  ['openai-6.1', 'GPT-6.1 Sol', 2, 0.1, 2.5],
  ['openai-5.6', 'GPT-5.6 Sol', 4, 0.4, 5],
  ['openai-5', 'GPT-5', 1.25, 0.125, 1.25],
  ['openai-4.1', 'GPT-4.1', 2, 0.5, 2],
  ['openai-4o', 'GPT-4o', 2.5, 1.25, 2.5],
  ['anthropic-512-read-2.5', 'Claude Fable 5.1', 10, 0.25, 12.5],
  ['anthropic-512-read-2.5-1h', 'Claude Fable 5.1', 10, 0.25, 20],
  ['anthropic-512-read-5', 'Claude Opus 5.5', 4, 0.2, 5],
  ['anthropic-512-read-5-1h', 'Claude Opus 5.5', 4, 0.2, 8],
  ['anthropic-512', 'Claude Opus 5', 5, 0.5, 6.25],
  ['anthropic-512-1h', 'Claude Opus 5', 5, 0.5, 10],
  ['anthropic-1024', 'Claude Sonnet 4.5', 3, 0.3, 3.75],
  ['anthropic-1024-1h', 'Claude Sonnet 4.5', 3, 0.3, 6],
  ['anthropic-2048', 'Claude Haiku 3.5', 0.8, 0.08, 1],
  ['anthropic-2048-1h', 'Claude Haiku 3.5', 0.8, 0.08, 1.6],
  ['anthropic-4096', 'Claude Opus 4.5', 5, 0.5, 6.25],
  ['anthropic-4096-1h', 'Claude Opus 4.5', 5, 0.5, 10],
  ['gemini-3', 'Gemini 3 Pro', 2, 0.2, 2],
  ['gemini-2.5', 'Gemini 2.5 Pro', 1.25, 0.125, 1.25],
  ['deepseek-4', 'DeepSeek V4 Pro', 0.66, 0.022, 0.66],
  ['deepseek-3', 'DeepSeek V2.5', 0.14, 0.014, 0.14],
  ['kimi-k3', 'Kimi K3', 3, 0.3, 3],
  ['kimi-k3-1h', 'Kimi K3', 3, 0.3, 6],
  ['kimi-k2.5', 'Kimi K2.5', 0.6, 0.1, 0.6],
  ['kimi-k2', 'Kimi K2', 0.6, 0.15, 0.6],
  ['xai', 'Grok 4.6', 2, 0.5, 2],
  ['mistral', 'Mistral Large', 0.5, 0.05, 0.5],
  ['minimax-2.7', 'MiniMax M2.7', 0.3, 0.06, 0.3],
  ['minimax-2', 'MiniMax M2', 0.3, 0.03, 0.3],
  ['glm', 'the example of the documentation', 10, 5, 10],
  ['qwen', 'the example of the documentation', 1, 0.2, 1],
  ['qwen-explicit', 'the example of the documentation', 1, 0.1, 1.25],
]

/** Prompts shorter than this are not cached. Kimi's size was measured; xAI documents none. */
const MINIMA: readonly (readonly [id: string, tokens: number])[] = [
  ['openai-6.1', 1024],
  ['openai-5.6', 1024],
  ['openai-5', 1024],
  ['openai-4.1', 1024],
  ['openai-4o', 1024],
  ['anthropic-512', 512],
  ['anthropic-512-read-5', 512],
  ['anthropic-512-read-2.5', 512],
  ['anthropic-1024', 1024],
  ['anthropic-2048', 2048],
  ['anthropic-4096', 4096],
  ['gemini-3', 4096],
  ['gemini-2.5', 2048],
  ['deepseek-4', 64],
  ['deepseek-3', 64],
  ['mistral', 64],
  ['minimax-2.7', 512],
  ['minimax-2', 512],
  ['glm', 500],
  ['qwen', 1024],
  ['qwen-explicit', 1024],
]

describe('each rule', () => {
  test.each(PRICED)('%s gives the published prices of %s', (id, _, input, read, write) => {
    const one = (split: Partial<CacheSplit>) =>
      input * costOf(id, { read: 0, written: 0, fresh: 0, ...split })
    expect(one({ read: 1 })).toBeCloseTo(read, 2)
    expect(one({ written: 1 })).toBeCloseTo(write, 2)
  })

  test.each(MINIMA)('%s caches prompts of %i tokens or more', (id, tokens) => {
    const readBy = (first: number) =>
      readsOf(ruleOf(id), [
        ['user', first],
        ['assistant', 1],
        ['user', 1],
      ])[1]
    // What ends with the answer is read too where answers are stored.
    expect(readBy(tokens - 2)).toBe(0)
    expect(readBy(tokens)).toBeGreaterThanOrEqual(tokens)
  })

  test('is in the list', () => {
    expect(PRICED.map(([id]) => id).sort()).toEqual(CACHE_FAMILIES.map(({ id }) => id).sort())
  })
})

describe('examples of the providers', () => {
  test('OpenAI: of a prompt of 2,006 tokens, 1,920 are cached', () => {
    const turns: Turn[] = [
      ['user', 2006],
      ['assistant', 300],
      ['user', 40],
    ]
    for (const id of ['openai-5', 'openai-4.1', 'openai-4o'])
      expect(readsOf(ruleOf(id), turns)).toEqual([0, 1920])
  })

  test('xAI: of 50, 120 and 200 tokens, 0, 50 and 120 are cached', () => {
    const turns: Turn[] = [
      ['user', 50],
      ['assistant', 30],
      ['user', 40],
      ['assistant', 30],
      ['user', 50],
    ]
    expect(readsOf(ruleOf('xai'), turns)).toEqual([0, 50, 120])
  })

  test('Mistral: cached tokens are a multiple of 64 and cost a tenth; shorter prompts have no hits', () => {
    const turns: Turn[] = [
      ['user', 63],
      ['assistant', 10],
      ['user', 55],
      ['assistant', 10],
      ['user', 70],
    ]
    expect(readsOf(ruleOf('mistral'), turns)).toEqual([0, 0, 128])
    // The billing example: 5 tokens at the input price and 1,008 at a tenth of it.
    expect(costOf('mistral', { read: 1008, written: 0, fresh: 5 })).toBeCloseTo(105.8, 9)
  })

  test('GLM: 800 new tokens at 0.01 and 1,200 cached ones at 0.005 a thousand are 0.014', () => {
    const split = splitRequest(ruleOf('glm'), 2000, 1200)
    expect(split).toEqual({ read: 1200, written: 800, fresh: 0 })
    expect((costOf('glm', split) * 0.01) / 1000).toBeCloseTo(0.014, 9)
  })

  test('Qwen: 10,000 tokens of which 5,000 are cached cost 60 % of the input price', () => {
    const split = splitRequest(ruleOf('qwen'), 10_000, 5000)
    expect(split.read).toBe(5000)
    expect(costOf('qwen', split)).toBeCloseTo(6000, 9)
    // Under 1,024 tokens nothing is cached.
    expect(splitRequest(ruleOf('qwen'), 5000, 1000).read).toBe(0)
  })

  test('MiniMax: calls of 512 tokens or more are cached, and writing is free', () => {
    const turns: Turn[] = [
      ['user', 511],
      ['assistant', 1],
      ['user', 100],
      ['assistant', 1],
      ['user', 9],
    ]
    expect(readsOf(ruleOf('minimax-2.7'), turns)).toEqual([0, 0, 612])
    expect(costOf('minimax-2.7', { read: 0, written: 1000, fresh: 0 })).toBe(1000)
  })

  test('Kimi: a write for one hour costs twice the input price, a hit a tenth', () => {
    const split = { read: 1000, written: 1000, fresh: 0 }
    expect(costOf('kimi-k3', split)).toBeCloseTo(1100, 9)
    expect(costOf('kimi-k3-1h', split)).toBeCloseTo(2100, 9)
  })

  test('OpenAI: a read costs a tenth of the input price, with GPT-6.1 a twentieth; a write 1.25 times', () => {
    const split = { read: 2000, written: 1000, fresh: 0 }
    expect(costOf('openai-5.6', split)).toBeCloseTo(1450, 9)
    expect(costOf('openai-6.1', split)).toBeCloseTo(1350, 9)
  })

  test('Anthropic: a request of 35 blocks does not find the one of 15 blocks, a request of 34 does', () => {
    // 10 blocks, 15 blocks and 35 blocks, of 100 tokens each; the mark is at the last block of each.
    const turns = (blocks: number): Turn[] => [
      ['user', 1000, 10],
      ['assistant', 100],
      ['user', 400, 4],
      ['assistant', 100],
      ['user', 100 * (blocks - 16), blocks - 16],
    ]
    expect(readsOf(ruleOf('anthropic-512'), turns(35))).toEqual([0, 1000, 0])
    expect(readsOf(ruleOf('anthropic-512'), turns(34))).toEqual([0, 1000, 1500])
  })

  test('OpenAI before GPT-5.6: what a request shares with the one before is read, up to the first change', () => {
    // The third request masks the first result: it shares the system prompt and the call, 2,100 tokens.
    for (const id of ['openai-5', 'openai-4.1', 'openai-4o'])
      expect(maskedReads(ruleOf(id), 1, [500, 500], 2000)).toEqual([0, 1920, 2048])
  })

  test('Anthropic: the head has a mark of its own, which is found behind more than 20 blocks', () => {
    const turns: Turn[] = [
      ['system', 5000],
      ['user', 100],
      ['assistant', 100],
      ['user', 3000, 30],
    ]
    for (const { id } of CACHE_FAMILIES.filter(({ id }) => /^anthropic|explicit/.test(id)))
      expect(readsOf(ruleOf(id), turns)).toEqual([0, 5000])
  })

  test('OpenAI: the latest 80 breakpoints are considered, and the head has none', () => {
    // With a window as long, the last request masks the first result and shares only the system prompt with the others.
    const lastReadOf = (window: number) =>
      maskedReads(ruleOf('openai-5.6'), window, new Array(window + 1).fill(500), 2000).at(-1)
    expect(lastReadOf(79)).toBe(2000)
    expect(lastReadOf(80)).toBe(0)
  })

  test('Anthropic: many parallel calls and their results are two blocks', () => {
    const calls = Array.from({ length: 30 }, (_, index) => `call_${index}`)
    const messages = [
      { role: 'user', content: 'begin' },
      {
        role: 'assistant',
        content: calls.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
      },
      {
        role: 'user',
        content: calls.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'text' })),
      },
    ]
    const [conversation] = readDocument(JSON.stringify(messages)).conversations
    if (conversation === undefined) throw new RangeError('No conversation.')
    const results = calls.map(() => 10)
    const session = createSession(conversation, {
      messages: [600, 300, 300],
      results,
      perRequest: 0,
    })
    const sources = { textOf: () => '', placeholderTokensOf: () => 0 }
    const terms = { prices: flatPrices(1, 0.1, 1, 1), rule: ruleOf('anthropic-512') }
    const { requests } = replay(session, DEFAULT_POLICY, sources, terms)
    expect(requests.map(({ before }) => before.split.read)).toEqual([0, 600])
  })
})

/** What each request reads if each turn is a call with a result, and a masked result is a placeholder of 40 tokens. */
function maskedReads(
  rule: CacheRule,
  window: number,
  turnTokens: readonly number[],
  systemTokens: number,
): number[] {
  const messages = [
    { role: 'system', content: 'A' },
    ...turnTokens.flatMap((_, index) => [
      {
        role: 'assistant',
        tool_calls: [{ id: `${index}`, function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `${index}`, content: 'text' },
    ]),
  ]
  const [conversation] = readDocument(JSON.stringify(messages)).conversations
  if (conversation === undefined) throw new RangeError('No conversation.')
  const session = createSession(conversation, {
    messages: [systemTokens, ...turnTokens.flatMap((tokens) => [100, tokens])],
    results: [...turnTokens],
    perRequest: 0,
  })
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: window }
  const sources = { textOf: () => '', placeholderTokensOf: () => 40 }
  const terms = { prices: flatPrices(1, 0.1, 1, 1), rule }
  return replay(session, policy, sources, terms).requests.map(({ after }) => after.split.read)
}

describe('DeepSeek', () => {
  test('example 1: a request A + B + C reads the unit A + B', () => {
    const turns: Turn[] = [
      ['system', 100],
      ['user', 50],
      ['assistant', 20],
      ['user', 30],
    ]
    // The unit that ends with the answer is read as well.
    expect(readsOf(ruleOf('deepseek-4'), turns)).toEqual([0, 170])
  })

  test('example 2: what two requests share is read by the third', () => {
    // With a window of one, each request masks the result that was new in the one before.
    //   1: system                                       2: system, call, result 1
    //   3: differs at result 1 and shares 1,100 with 2, which ends with it whole: reads the unit of request 1, 1,100
    //   4: differs at result 2; the unit of requests 2 and 3 ends before result 1: reads 1,100
    //   5: differs at result 3; the unit of requests 3 and 4 ends before result 2: 1,100 + 40 + 100
    const reads = maskedReads(ruleOf('deepseek-4'), 1, [500, 500, 500, 500], 1000)
    expect(reads).toEqual([0, 1100, 1100, 1100, 1240])
  })

  test('an interval adds units in long inputs', () => {
    const rule: CacheRule = { kind: 'units', minimumTokens: 64, intervalTokens: 128 }
    // Request 4 shares 1,240 with request 3: nine intervals. Request 5 shares 1,380: ten.
    expect(maskedReads(rule, 1, [500, 500, 500, 500], 1000)).toEqual([0, 1100, 1100, 1152, 1280])
  })
})

const FAMILY_OF_MODEL = [
  ['gpt-4o-2024-08-06', 'openai-4o'],
  ['o3-mini', 'openai-4o'],
  ['openai/o3', 'openai-4.1'],
  ['gpt-4.1-mini', 'openai-4.1'],
  ['gpt-5', 'openai-5'],
  ['gpt-5.5', 'openai-5'],
  ['gpt-5.6-sol', 'openai-5.6'],
  ['gpt-5.10', 'openai-5.6'],
  ['gpt-10', 'openai-5.6'],
  ['gpt-6-astra', 'openai-5.6'],
  ['gpt-6.1-sol', 'openai-6.1'],
  ['claude-opus-5', 'anthropic-512'],
  ['claude-fable-5', 'anthropic-512'],
  ['claude-mythos-5', 'anthropic-512'],
  ['claude-haiku-5-5', 'anthropic-512'],
  ['claude-opus-5-5', 'anthropic-512-read-5'],
  ['claude-sonnet-5.5', 'anthropic-512-read-5'],
  ['claude-fable-5-1', 'anthropic-512-read-2.5'],
  ['claude-sonnet-5', 'anthropic-1024'],
  ['claude-opus-4-8', 'anthropic-1024'],
  ['claude-sonnet-4-6', 'anthropic-1024'],
  ['claude-sonnet-4-5-20250929', 'anthropic-1024'],
  ['claude-opus-4-1', 'anthropic-1024'],
  ['claude-3-5-sonnet-20241022', 'anthropic-1024'],
  ['claude-opus-4-7', 'anthropic-2048'],
  ['claude-3-haiku-20240307', 'anthropic-2048'],
  ['claude-3-5-haiku-20241022', 'anthropic-2048'],
  ['claude-opus-4-5', 'anthropic-4096'],
  ['claude-opus-4-6[1m]', 'anthropic-4096'],
  ['anthropic/claude-haiku-4.5', 'anthropic-4096'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic-1024'],
  ['regional.anthropic.claude-opus-5', 'anthropic-512'],
  ['claude-opus-4-5@20251101', 'anthropic-4096'],
  ['azure/gpt-4o', 'openai-4o'],
  ['gemini-2.5-flash', 'gemini-2.5'],
  ['publishers/google/models/gemini-3.1-pro-preview', 'gemini-3'],
  ['gemini-4-argon', 'gemini-3'],
  ['gemini-10-pro', 'gemini-3'],
  ['deepseek-v4-pro', 'deepseek-4'],
  ['deepseek-v10', 'deepseek-4'],
  ['deepseek-flash', 'deepseek-4'],
  ['deepseek-ai/DeepSeek-V4.1-Flash', 'deepseek-4'],
  ['deepseek-chat', 'deepseek-3'],
  ['kimi-k2-0905-preview', 'kimi-k2'],
  ['moonshotai/kimi-k2.6', 'kimi-k2.5'],
  ['kimi-k3.1-pro', 'kimi-k3'],
  ['kimi-k10', 'kimi-k3'],
  ['x-ai/grok-4.7', 'xai'],
  ['mistralai/devstral-medium', 'mistral'],
  ['MiniMax-M2', 'minimax-2'],
  ['MiniMax-M2.1', 'minimax-2'],
  ['MiniMax-M2.7', 'minimax-2.7'],
  ['MiniMax-M10', 'minimax-2.7'],
  ['minimax/minimax-m3', 'minimax-2.7'],
  ['z-ai/glm-5.2', 'glm'],
  ['glm-4.6', 'glm'],
  ['qwen3-coder-plus', 'qwen'],
] as const

describe('which model has which rule', () => {
  test.each(FAMILY_OF_MODEL)('%s caches by the rule %s', (model, id) => {
    expect(cacheFamilyOf(model)?.id).toBe(id)
  })

  test('a name that only contains that of a model has no rule', () => {
    for (const [model] of FAMILY_OF_MODEL)
      expect(cacheFamilyOf(`my-${vendorModelName(model)}`)).toBeUndefined()
  })

  test('Claude has a rule and a family on every platform, with the prices of reads that are listed', async () => {
    const { models } = await loadPriceBook()
    const listed = models.filter(({ id }) => /(^|[./])claude/.test(id))
    expect(listed.length).toBeGreaterThan(100)
    for (const { id, providerId, input, cachedRead } of listed) {
      expect(familyOfModel(id)?.id, id).toBe('claude')
      const { readFactor } = cacheFamilyOf(id) ?? NO_CACHE
      expect(readFactor, id).toBeDefined()
      if (!['anthropic', 'aws'].includes(providerId) || cachedRead === undefined) continue
      const read = (input?.base as number) * (readFactor as number)
      // Claude Haiku 3 reads at 0.12.
      expect(Math.abs(cachedRead.base / read - 1), id).toBeLessThan(0.21)
    }
  })

  test.each([
    'gpt-4',
    'gpt-35-turbo',
    'gpt-oss-120b',
    'minimax-m1',
    'glm-4',
    'amazon.nova-pro-v1:0',
    '',
    undefined,
  ])('%s has no rule known', (model) => {
    expect(cacheFamilyOf(model)).toBeUndefined()
  })

  test('every rule has a source, a date, and an id and a label of its own', () => {
    for (const { source, date } of CACHE_FAMILIES) {
      expect(source).toMatch(/^https:/)
      expect(date).toBe('2026-11')
    }
    const families = [NO_CACHE, ...CACHE_FAMILIES]
    for (const names of [families.map(({ id }) => id), families.map(({ label }) => label)]) {
      expect(new Set(names).size).toBe(families.length)
      expect(names).not.toContain('')
    }
  })

  test('a rule for entries that live for an hour has the lifetime and the prices of an hour', () => {
    for (const { id, rule, entryLife, label } of CACHE_FAMILIES) {
      const isHour = id.endsWith('-1h')
      expect(entryLife).toBe(isHour ? 'hour' : 'default')
      expect(rule.kind !== 'none' && rule.lifetimeSeconds === 3600).toBe(isHour)
      expect(label.includes('one hour')).toBe(isHour)
    }
    const five = CACHE_FAMILIES.filter(({ label }) => label.includes('five minutes'))
    for (const { rule } of five) expect(rule).toMatchObject({ lifetimeSeconds: 300 })
    expect(five.length).toBeGreaterThan(6)
  })

  test('the label of Claude says what reads cost where it is not a tenth', () => {
    expect(cacheFamilyById('anthropic-512-read-5')?.label).toContain('reads at 0.05')
    expect(cacheFamilyById('anthropic-512')?.label).toMatch(/five minutes$/)
  })

  test('without caching, nothing is read and no price is derived', () => {
    expect(cacheFamilyById('none')).toBe(NO_CACHE)
    expect(NO_CACHE).toMatchObject({ rule: { kind: 'none' }, source: '', entryLife: 'default' })
    expect(
      readsOf(NO_CACHE.rule, [
        ['user', 9000],
        ['assistant', 10],
        ['user', 10],
      ]),
    ).toEqual([0, 0])
    expect(priceSheet(undefined, NO_CACHE, { input: 1 })).toMatchObject({
      cachedRead: undefined,
      cacheWrite: undefined,
    })
  })
})
