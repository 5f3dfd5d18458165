import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { OverridesByModel } from '@/lib/core/replay/model-overrides'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { type CostTerms, replay } from '@/lib/core/replay/replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import { createSession } from '@/lib/core/replay/sessions'
import { pointAt } from '@/lib/core/replay/sweep'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { refetchCosts } from '@/lib/core/uses/refetch-costs'
import type { JobName } from '@/lib/worker/jobs'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { SpawnWorker } from '@/lib/worker/worker-client'
import {
  conversationOf,
  countsOf,
  decisionsOf,
  outputTextOf,
  textOfResult,
} from '../document/selectors'
import { applySettings } from '../link/settings-url'
import { createPlayground } from '../playground'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { laterUsesOf, lostUsesOf } from '../uses/later-uses'
import { familyOf, keyOfUserModel, modelOf } from './chosen-model'
import { costTermsOf } from './cost-terms'
import {
  measureOf,
  requestNear,
  requestViewOf,
  sentMessagesOf,
  shownConversationOf,
  shownDecisionsOf,
  shownMeasureOf,
} from './request-view'
import { adviceOf, isWindowTooShort, recommendationOf } from './session-advice'
import {
  figuresOf,
  losableUsesOf,
  preparedReplayOf,
  refetchedOf,
  replayOf,
  sweepOf,
} from './session-replay'
import { calibrationOf, estimatedSlopeOf, sessionOf } from './shown-session'
import { readStoredOverrides, syncStoredOverrides } from './stored-overrides'

function turn(at: number, lines: number): object[] {
  const id = `call_${at}`
  const call = { id, type: 'function', function: { name: 'read', arguments: `{"at":${at}}` } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: `line ${at} of some output\n`.repeat(lines) },
  ]
}

const MESSAGES = [
  { role: 'system', content: 'You are a careful agent.' },
  { role: 'user', content: 'Look at all of it.' },
  ...Array.from({ length: 20 }, (_, at) => turn(at, 100 + at)).flat(),
  { role: 'assistant', content: 'All of it was looked at.' },
]
const SESSION = JSON.stringify(MESSAGES)

/** The inline worker, and the names of the jobs it receives. */
function recorder() {
  const jobs: JobName[] = []
  const spawn: SpawnWorker = (encoding) => {
    const worker = spawnInline(encoding)
    const { postMessage } = worker
    worker.postMessage = (message) => {
      if ('name' in message) jobs.push(message.name)
      postMessage(message)
    }
    return worker
  }
  return { jobs, spawn }
}

async function opened(text = SESSION, spawn: SpawnWorker = spawnInline, fragment = '') {
  const playground = createPlayground(spawn)
  applySettings(playground, fragment)
  playground.actions.openText(text, 'session.json', { kind: 'file' })
  await swept(playground)
  return playground
}

async function swept({ store }: ReturnType<typeof createPlayground>) {
  await eventually(() => expect(sweepOf(store.getState())).toBeDefined())
}

async function replayedApart(state: PlaygroundState) {
  const encoding = await loadEncoding(familyOf(state).encoding)
  const conversation = conversationOf(state) as NonNullable<ReturnType<typeof conversationOf>>
  const counts = countsOf(state)?.[0] as NonNullable<ReturnType<typeof countsOf>>[number]
  const terms = costTermsOf(state)?.terms as NonNullable<ReturnType<typeof costTermsOf>>['terms']
  const sources = {
    textOf: (index: number) =>
      textOfResult(state.source.text, conversation.results[index] ?? { slots: [], duplicates: 0 }),
    placeholderTokensOf: (_: number, text: string) => encoding.countTokens(text),
  }
  return replay(createSession(conversation, counts), state.policy, sources, terms)
}

test('a later use is lost while the window is shorter than its distance', async () => {
  const noted = turn(0, 1).map((message) => ({
    ...message,
    ...('tool_call_id' in message && { content: 'see PAY7407366' }),
  }))
  const answer = { role: 'assistant', content: 'It is PAY7407366.' }
  const { store, actions } = await opened(
    JSON.stringify([MESSAGES[1], ...noted, ...MESSAGES.slice(4, -1), answer]),
  )
  actions.changePolicy({ enabled: true, windowTurns: 8 })
  expect(laterUsesOf(store.getState())).toMatchObject([
    { term: 'PAY7407366', turn: 0, distance: 20 },
  ])
  const lost = () =>
    lostUsesOf(store.getState())?.map(({ result, request }) => ({ result, request }))
  expect(lost()).toEqual([{ result: 0, request: 20 }])
  actions.changePolicy({ windowTurns: 20 })
  expect(lost()).toEqual([])
  actions.changePolicy({ windowTurns: 8, enabled: false })
  expect(lost()).toEqual([])
})

test('the tokens of Claude are estimated where no usage is stated; a switch and a field change that', async () => {
  const { store, actions } = await opened()
  const tokens = () => replayOf(store.getState())?.before.tokens ?? 0
  const plain = tokens()
  expect(calibrationOf(store.getState())).toBeUndefined()
  store.setState({ model: 'claude-sonnet-4-5' })
  expect(estimatedSlopeOf(store.getState())).toBe(1.15)
  await eventually(() => expect(tokens() / plain).toBeCloseTo(1.15, 3))
  actions.changeCalibration({ slope: 1.3 })
  expect(estimatedSlopeOf(store.getState())).toBeUndefined()
  await eventually(() => expect(tokens() / plain).toBeCloseTo(1.3, 3))
  actions.changeCalibration({ slope: undefined, isOff: true })
  expect(calibrationOf(store.getState())).toBeUndefined()
  await eventually(() => expect(tokens()).toBe(plain))
})

test('the first sample has the figures that the page shows', async () => {
  const sample = new URL('../../../public/samples/coding-session.json', import.meta.url)
  const { store } = await opened(readFileSync(sample, 'utf8'))
  const state = store.getState()
  expect(measureOf(state)).toMatchObject({
    tokens: { before: 46_839, after: 25_578 },
    chars: { before: 141_313, after: 73_147 },
    results: 150,
    maskedResults: 130,
    messages: 225,
    maskedMessages: 130,
  })
  const costs = (replayed: ReturnType<typeof replayOf>) =>
    [replayed?.before, replayed?.after].map((side) => [
      side?.costs.plain?.toFixed(2),
      side?.costs.cached?.toFixed(4),
    ])
  expect(replayOf(state)?.requests).toHaveLength(72)
  expect(costs(replayOf(state))).toEqual([
    ['2.19', '0.2768'],
    ['1.15', '0.4625'],
  ])
  expect(figuresOf(state)?.prefixBreaks).toBe(59)
  expect(recommendationOf(state)).toMatchObject({ point: { windowTurns: 8, batchTurns: 32 } })
  const key = modelOf(state)?.key
  if (key === undefined) throw new Error('The sample names its model.')
  store.setState({ modelOverrides: { [key]: { input: 12.5 } } })
  expect(costs(replayOf(store.getState()))[0]?.[0]).toBe('21.89')
})

describe('the session', () => {
  test('has the same replay as the core, and the same total as its sweep point', async () => {
    const { store, actions } = await opened()
    for (const [windowTurns, batchTurns] of [
      [8, 1],
      [3, 4],
      [1, 16],
    ] as const) {
      actions.changePolicy({ windowTurns, batchTurns })
      const state = store.getState()
      expect(replayOf(state)).toEqual(await replayedApart(state))
      const point = sweepOf(state) && pointAt(sweepOf(state) as never, { windowTurns, batchTurns })
      const { tokens, costs } = replayOf(state)?.after ?? {}
      expect(point?.total).toMatchObject({ tokens, costs })
    }
  })

  test('has a request for each assistant message, and is not masked while masking is off', async () => {
    const { store, actions } = await opened()
    expect(sessionOf(store.getState())?.requests).toHaveLength(21)
    actions.changePolicy({ enabled: false })
    const replayed = replayOf(store.getState())
    expect(replayed?.after).toEqual(replayed?.before)
    expect(sweepOf(store.getState())).toBeDefined()
  })

  test('has prefix breaks, a recommendation and a break-even request', async () => {
    const { store, actions } = await opened()
    expect(figuresOf(store.getState())?.prefixBreaks).toBe(12)
    expect(recommendationOf(store.getState())?.state).toBe('do_not_mask')
    expect(adviceOf(store.getState())).toBe('do_not_mask')
    actions.changeAdvice({ smallestWindow: 1 })
    expect(adviceOf(store.getState())).toBe('use')
    const best = recommendationOf(store.getState())
    expect(best?.state).toBe('mask')
    if (best?.state !== 'mask') return
    const { windowTurns, batchTurns } = best.point
    actions.changePolicy({ windowTurns, batchTurns })
    const { after } = replayOf(store.getState()) ?? {}
    expect((after?.costs.cached ?? 0) + (after?.costs.output ?? 0)).toBe(best.cost)
    expect(figuresOf(store.getState())?.breakEven.state).toBe('from_request')
    expect(adviceOf(store.getState())).toBe('best')
    expect(isWindowTooShort(store.getState())).toBe(false)
    actions.changeAdvice({ smallestWindow: best.point.windowTurns + 1 })
    const other = recommendationOf(store.getState())
    expect(other).not.toEqual(best)
    expect(other?.state).toBe('mask')
    expect(isWindowTooShort(store.getState())).toBe(true)
    expect(adviceOf(store.getState())).toBe('use')
  })

  test('in a request log, has the requests of the log', async () => {
    const lines = [4, 6, 8].map((end) => JSON.stringify({ messages: MESSAGES.slice(0, end) }))
    const { store } = await opened(lines.join('\n'))
    const session = sessionOf(store.getState())
    expect(session?.origin).toBe('log')
    expect(session?.requests.map(({ end }) => end)).toEqual([4, 6, 8])
  })
})

describe('a long session', () => {
  test('is replayed by the worker, and has no figures until it answers', async () => {
    const { jobs, spawn } = recorder()
    const messages = Array.from({ length: 320 }, (_, at) => turn(at, 1)).flat()
    const { store, actions } = createPlayground(spawn)
    actions.openText(JSON.stringify(messages), 'long.json', { kind: 'file' })
    const hasFigures = () => eventually(() => expect(figuresOf(store.getState())).toBeDefined())
    const whole = () => replayOf(store.getState()) as NonNullable<ReturnType<typeof replayOf>>
    await eventually(() => expect(refetchedOf(store.getState())).toBeDefined())
    const before = jobs.filter((kind) => kind === 'replay').length
    actions.changePolicy({ windowTurns: 40, batchTurns: 8 })
    expect(figuresOf(store.getState())).toBeUndefined()
    await hasFigures()
    expect(figuresOf(store.getState())).toEqual(replayFigures(whole()))
    actions.chooseRequest(100)
    await hasFigures()
    expect(requestViewOf(store.getState())).toEqual(replayFigures(whole(), 100).request)
    expect(jobs.filter((kind) => kind === 'replay')).toHaveLength(before + 2)
    const losses = refetchCosts(
      preparedReplayOf(store.getState()) as PreparedReplay,
      losableUsesOf(store.getState()) ?? [],
      costTermsOf(store.getState())?.terms as CostTerms,
    )
    expect(refetchedOf(store.getState())).toEqual(losses({ windowTurns: 40, batchTurns: 8 }))
  })
})

describe('the sweep', () => {
  test('has every batch, and is not asked for again if the window or the batch changes', async () => {
    const { jobs, spawn } = recorder()
    const playground = await opened(SESSION, spawn)
    const { store, actions } = playground
    const before = sweepOf(store.getState())
    for (const windowTurns of [7, 6, 5]) actions.changePolicy({ windowTurns, batchTurns: 4 })
    expect(sweepOf(store.getState())).toBe(before)
    expect(jobs.filter((kind) => kind === 'sweep')).toHaveLength(1)
    actions.changePolicy({ batchTurns: 5 })
    expect(sweepOf(store.getState())).toBe(before)
    expect(before?.batches).toEqual(Array.from({ length: 19 }, (_, index) => index + 1))
    expect(jobs.filter((kind) => kind === 'sweep')).toHaveLength(1)
  })

  test('has the output for the newest change after a burst of changes, with few jobs', async () => {
    const { jobs, spawn } = recorder()
    const playground = await opened(SESSION, spawn)
    const { store, actions } = playground
    for (let at = 0; at < 20; at++) actions.changePolicy({ placeholderTemplate: `[${at}]` })
    expect(sweepOf(store.getState())).toBeUndefined()
    expect(replayOf(store.getState())).toBeUndefined()
    await swept(playground)
    expect(replayOf(store.getState())).toEqual(await replayedApart(store.getState()))
    expect(jobs.filter((kind) => kind === 'prepareReplay').length).toBeLessThan(5)
  })
})

test('costs follow the policy after a text was broken and its change was undone', async () => {
  const playground = await opened()
  const { store, actions } = playground
  actions.editText([{ start: 0, end: 1, text: '' }])
  await eventually(() => expect(store.getState().reading.state).toBe('failed'))
  actions.undo()
  await eventually(() => expect(store.getState().reading.state).toBe('read'))
  actions.changePolicy({ placeholderTemplate: '[removed]' })
  await swept(playground)
  expect(replayOf(store.getState())).toEqual(await replayedApart(store.getState()))
})

describe('the model', () => {
  test('is the one the transcript names, until another is chosen', async () => {
    const text = JSON.stringify({ model: 'claude-sonnet-5', messages: MESSAGES })
    const { store, actions } = await opened(text)
    expect(modelOf(store.getState())).toMatchObject({
      key: 'anthropic/claude-sonnet-5',
      source: 'document',
    })
    expect(familyOf(store.getState()).isExact).toBe(false)
    expect(costTermsOf(store.getState())?.family.id).toBe('anthropic-1024')
    actions.chooseModel('openai/gpt-5-mini')
    expect(modelOf(store.getState())).toMatchObject({ name: 'GPT-5 mini', source: 'chosen' })
  })

  test('sets the encoding of the counts', async () => {
    const text = JSON.stringify({ model: 'gpt-4-0613', messages: MESSAGES })
    const { store } = await opened(text)
    expect(familyOf(store.getState()).encoding).toBe('cl100k_base')
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
    expect(replayOf(state)?.after.costs).toEqual({
      plain: undefined,
      cached: undefined,
      output: undefined,
    })
    expect(recommendationOf(state)?.state).toBe('price_unknown')
    expect(costTermsOf(state)?.ruleOrigin).toBe('unknown')
  })

  test('in an old link that names a family is a model of that family', async () => {
    const book = await loadPriceBook()
    for (const family of [
      'gpt-5',
      'gpt-4o',
      'gpt-oss',
      'gpt-4',
      'claude',
      'gemini',
      'deepseek',
      'kimi',
      'qwen',
      'mistral',
    ]) {
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
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    }
    const first = createPlayground(spawnInline)
    syncStoredOverrides(first.store, () => storage)
    first.actions.changeModelOverrides('mine', { name: 'Mine', input: 2 })
    const second = createPlayground(spawnInline)
    syncStoredOverrides(second.store, () => storage)
    expect(second.store.getState().modelOverrides).toEqual({ mine: { name: 'Mine', input: 2 } })
    const damaged = '{"a":{"input":-1},"b":{"input":"2"},"c":{"output":3},"d":{"cacheFamily":"x"}}'
    expect({ ...readStoredOverrides(damaged) } as OverridesByModel).toEqual({ c: { output: 3 } })
    for (const text of [null, '', 'nonsense', '[]', 'null', '7'])
      expect(Object.keys(readStoredOverrides(text))).toEqual([])
  })

  test('work without storage', () => {
    const { store, actions } = createPlayground(spawnInline)
    syncStoredOverrides(store, () => {
      throw new DOMException('refused', 'SecurityError')
    })
    actions.changeModelOverrides('mine', { input: 2 })
    expect(store.getState().modelOverrides).toEqual({ mine: { input: 2 } })
  })
})

describe('an earlier request', () => {
  test('stays within the session, and ends when another conversation is chosen', async () => {
    const { store, actions } = await opened()
    actions.chooseRequest(99)
    expect(store.getState().request).toBe(20)
    actions.chooseRequest(-1)
    expect(store.getState().request).toBe(0)
    actions.chooseConversation(0)
    expect(store.getState().request).toBeUndefined()
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
  expect(costTermsOf(store.getState())?.prices.cachedRead).toEqual({
    price: { base: 0.2, tiers: [] },
    origin: 'cache_rule',
  })
})

describe('showing an earlier request', () => {
  test('shows the decisions of that time, while the saved output stays the same', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
    const saved = outputTextOf(store.getState())
    actions.chooseRequest(10)
    const state = store.getState()
    const request = sessionOf(state)?.requests[10]
    expect(sentMessagesOf(state)).toBe(request?.end)
    expect(shownConversationOf(state)?.turnCount).toBe(10)
    expect(shownDecisionsOf(state)?.[0]?.map(({ reason }) => reason)).toEqual([
      ...Array(7).fill('masked'),
      ...Array(3).fill('in_window'),
    ])
    const replayed = replayOf(state)?.requests[10]
    expect(shownMeasureOf(state)?.tokens).toEqual({
      before: replayed?.before.tokens,
      after: replayed?.after.tokens,
    })
    expect(shownMeasureOf(state)).toMatchObject({ messages: 22, results: 10, maskedResults: 7 })
    expect(requestViewOf(state)).toMatchObject({ index: 10, count: 21, firstChanged: 15 })
    expect(outputTextOf(state)).toBe(saved)
    expect(state.selection).toMatchObject({ message: 21 })
    actions.chooseRequest(undefined)
    expect(shownMeasureOf(store.getState())).toEqual(measureOf(store.getState()))
    expect(shownDecisionsOf(store.getState())).toBe(decisionsOf(store.getState()))
  })

  test('measures in the tokens that the replay uses', async () => {
    const charged = MESSAGES.map((message) =>
      'tool_calls' in message ? { ...message, usage: { prompt_tokens: 9_000 } } : message,
    )
    const log = [12, 24, 42].map((end) => ({
      request: { messages: MESSAGES.slice(0, end) },
      response: { usage: { prompt_tokens: 30_000 + 50 * end } },
    }))
    for (const text of [
      JSON.stringify(charged),
      log.map((line) => JSON.stringify(line)).join('\n'),
    ]) {
      const { store, actions } = await opened(text)
      actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
      actions.chooseRequest(1)
      await eventually(() => expect(replayOf(store.getState())).toBeDefined())
      const state = store.getState()
      expect(calibrationOf(state)?.headTokens).toBeGreaterThan(0)
      const replayed = replayOf(state)?.requests[1]
      expect(shownMeasureOf(state)?.tokens).toEqual({
        before: replayed?.before.tokens,
        after: replayed?.after.tokens,
      })
    }
  })

  test("in a log, chooses the request's conversation", async () => {
    const lines = [4, 6, 8].map((end) => JSON.stringify({ messages: MESSAGES.slice(0, end) }))
    const { store, actions } = await opened(lines.join('\n'))
    actions.chooseRequest(1)
    expect(store.getState()).toMatchObject({ conversation: 1, request: undefined })
  })

  test('finds the request nearest to a message position', () => {
    const requests = [2, 4, 10].map((end) => ({ end, turnCount: 0, answer: end }))
    expect([0, 3.5, 8, 11, 15].map((place) => requestNear(requests, place, 14))).toEqual([
      0,
      1,
      2,
      2,
      undefined,
    ])
  })
})
