import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sessionBand } from '@/lib/core/replay/misses/cost-band'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import { pointAt } from '@/lib/core/replay/sweep'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { refetchCosts } from '@/lib/core/uses/refetch-costs'
import { createPlayground } from '../playground'
import {
  figuresOf,
  losableUsesOf,
  lostUsesOf,
  measureOf,
  preparedReplayOf,
  refetchedOf,
  replayOf,
  sweepOf,
} from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import {
  MESSAGES,
  opened,
  recorder,
  replayedApart,
  SESSION,
  swept,
  turn,
} from '../testing/open-session'
import { laterUsesOf } from '../uses/later-uses'
import { modelOf } from './chosen-model'
import { costTermsOf } from './cost-terms'
import { requestViewOf } from './request-view'
import { adviceOf, isWindowTooShort, recommendationOf } from './session-advice'
import { calibrationOf, estimatedSlopeOf } from './shown-session'

test('a later use is lost while the window is shorter than its distance', async () => {
  const noted = turnOf('call_0', 'see PAY7407366')
  const answer = { role: 'assistant', content: 'It is PAY7407366.' }
  const { store, actions } = await opened(
    JSON.stringify([MESSAGES[1], ...noted, ...MESSAGES.slice(4, -1), answer]),
  )
  actions.changePolicy({ enabled: true, windowTurns: 8 })
  const use = { term: 'PAY7407366', turn: 0, distance: 20 }
  expect(laterUsesOf(store.getState())).toMatchObject([use])
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
})

describe('a long session', () => {
  test('is replayed by the worker, and has no figures until it answers', async () => {
    const { asked, spawn } = recorder()
    const messages = Array.from({ length: 320 }, (_, at) => turn(at, 1)).flat()
    const { store, actions } = createPlayground(spawn)
    actions.openText(JSON.stringify(messages), 'long.json', { kind: 'file' })
    const hasFigures = () => eventually(() => expect(figuresOf(store.getState())).toBeDefined())
    const whole = () => replayOf(store.getState()) as NonNullable<ReturnType<typeof replayOf>>
    await eventually(() => expect(refetchedOf(store.getState())).toBeDefined())
    const before = asked('replay').length
    actions.changePolicy({ windowTurns: 40, batchTurns: 8 })
    expect(figuresOf(store.getState())).toBeUndefined()
    await hasFigures()
    const { band: _, ...figures } = replayFigures(whole())
    expect(figuresOf(store.getState())).toMatchObject(figures)
    // The worker draws what the page would.
    expect(figuresOf(store.getState())?.band).toEqual(
      sessionBand(
        preparedReplayOf(store.getState()) as PreparedReplay,
        whole(),
        costTermsOf(store.getState())?.terms as CostTerms,
        { windowTurns: 40, batchTurns: 8 },
      ),
    )
    actions.chooseRequest(100)
    await hasFigures()
    expect(requestViewOf(store.getState())).toEqual(replayFigures(whole(), 100).request)
    expect(asked('replay')).toHaveLength(before + 2)
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
    const { asked, spawn } = recorder()
    const playground = await opened(SESSION, spawn)
    const { store, actions } = playground
    const before = sweepOf(store.getState())
    for (const windowTurns of [7, 6, 5]) actions.changePolicy({ windowTurns, batchTurns: 4 })
    expect(sweepOf(store.getState())).toBe(before)
    expect(asked('sweep')).toHaveLength(1)
    actions.changePolicy({ batchTurns: 5 })
    expect(sweepOf(store.getState())).toBe(before)
    expect(before?.batches).toEqual(Array.from({ length: 19 }, (_, index) => index + 1))
    expect(asked('sweep')).toHaveLength(1)
  })

  test('has the output for the newest change after a burst of changes', async () => {
    const playground = await opened()
    const { store, actions } = playground
    for (let at = 0; at < 20; at++) actions.changePolicy({ placeholderTemplate: `[${at}]` })
    expect(sweepOf(store.getState())).toBeUndefined()
    expect(replayOf(store.getState())).toBeUndefined()
    await swept(playground)
    expect(replayOf(store.getState())).toEqual(await replayedApart(store.getState()))
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
