import { describe, expect, test } from 'vitest'
import { sessionBand } from '@/lib/core/replay/misses/cost-band'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { refetchCosts } from '@/lib/core/uses/lost-uses'
import { createPlayground } from '../playground'
import {
  figuresOf,
  limitsOf,
  losableUsesOf,
  lostUsesOf,
  preparedReplayOf,
  refetchedOf,
  replayOf,
  sweepOf,
} from '../policy/policy-view'
import { eventually } from '../testing/eventually'
import {
  MESSAGES,
  opened as openSession,
  recorder,
  replayedApart,
  SESSION,
  swept,
  turn,
} from '../testing/open-session'
import { laterUsesOf } from '../uses/later-uses'
import { costTermsOf } from './cost-terms'
import { requestViewOf } from './request-view'
import { adviceOf, isWindowTooShort, recommendationOf } from './session-advice'
import { calibrationOf, estimatedSlopeOf } from './shown-session'

async function opened(...given: Parameters<typeof openSession>) {
  const playground = await openSession(...given)
  return { ...playground, playground, get: playground.store.getState }
}

test('a later use is lost while the window is shorter than its distance', async () => {
  const noted = turnOf('call_0', 'see PAY7407366')
  const answer = { role: 'assistant', content: 'It is PAY7407366.' }
  const messages = [MESSAGES[1], ...noted, ...MESSAGES.slice(4, -1), answer]
  const { get, actions } = await opened(JSON.stringify(messages))
  actions.changePolicy({ enabled: true, windowTurns: 8 })
  const use = { term: 'PAY7407366', turn: 0, distance: 20 }
  expect(laterUsesOf(get())).toMatchObject([use])
  const lost = () => lostUsesOf(get())?.map(({ result, request }) => ({ result, request }))
  expect(lost()).toEqual([{ result: 0, request: 20 }])
  actions.changePolicy({ windowTurns: 20 })
  expect(lost()).toEqual([])
  actions.changePolicy({ windowTurns: 8, enabled: false })
  expect(lost()).toEqual([])
})

test('the tokens of Claude are estimated where no usage is stated; a switch and a field change that', async () => {
  const { get, store, actions } = await opened()
  const tokens = () => replayOf(get())?.before.tokens ?? 0
  const plain = tokens()
  expect(calibrationOf(get())).toBeUndefined()
  store.setState({ model: 'claude-sonnet-4-5' })
  expect(estimatedSlopeOf(get())).toBe(1.15)
  await eventually(() => expect(tokens() / plain).toBeCloseTo(1.15, 3))
  actions.changeCalibration({ slope: 1.3 })
  expect(estimatedSlopeOf(get())).toBeUndefined()
  await eventually(() => expect(tokens() / plain).toBeCloseTo(1.3, 3))
  actions.changeCalibration({ slope: undefined, isOff: true })
  expect(calibrationOf(get())).toBeUndefined()
  await eventually(() => expect(tokens()).toBe(plain))
})

describe('the session', () => {
  test('has prefix breaks, a recommendation and a break-even request', async () => {
    const { get, actions } = await opened()
    expect(figuresOf(get())?.prefixBreaks).toBe(12)
    expect(recommendationOf(get())?.state).toBe('do_not_mask')
    expect(adviceOf(get())).toBe('do_not_mask')
    actions.changeAdvice({ smallestWindow: 1 })
    expect(adviceOf(get())).toBe('use')
    const best = recommendationOf(get())
    expect(best?.state).toBe('mask')
    if (best?.state !== 'mask') return
    const { windowTurns, batchTurns } = best.point
    actions.changePolicy({ windowTurns, batchTurns })
    const { after } = replayOf(get()) ?? {}
    expect((after?.costs.cached ?? 0) + (after?.costs.output ?? 0)).toBe(best.cost)
    expect(figuresOf(get())?.breakEven.state).toBe('from_request')
    expect(adviceOf(get())).toBe('best')
    expect(isWindowTooShort(get())).toBe(false)
    actions.changeAdvice({ smallestWindow: best.point.windowTurns + 1 })
    const other = recommendationOf(get())
    expect(other).not.toEqual(best)
    expect(other?.state).toBe('mask')
    expect(isWindowTooShort(get())).toBe(true)
    expect(adviceOf(get())).toBe('use')
    // The specification recommends 5 to 10 turns, whatever the advice begins with.
    actions.changeAdvice({ smallestWindow: 8 })
    const isTooShort = [4, 5, 10].map((turns) => {
      actions.changePolicy({ windowTurns: turns })
      return isWindowTooShort(get())
    })
    expect(isTooShort).toEqual([true, false, false])
  })
})

describe('a long session', () => {
  test('is replayed by the worker, and has no figures until it answers', async () => {
    const { asked, spawn } = recorder()
    const messages = Array.from({ length: 320 }, (_, at) => turn(at, 1)).flat()
    const { store, actions } = createPlayground(spawn)
    const get = store.getState
    actions.openText(JSON.stringify(messages), 'long.json', { kind: 'file' })
    const hasFigures = () => eventually(() => expect(figuresOf(get())).toBeDefined())
    const whole = () => replayOf(get()) as NonNullable<ReturnType<typeof replayOf>>
    await eventually(() => expect(refetchedOf(get())).toBeDefined())
    const before = asked('replay').length
    actions.changePolicy({ windowTurns: 40, batchTurns: 8 })
    expect(figuresOf(get())).toBeUndefined()
    await hasFigures()
    const { band: _, ...figures } = replayFigures(whole())
    expect(figuresOf(get())).toMatchObject(figures)
    // The worker draws what the page would.
    expect(figuresOf(get())?.band).toEqual(
      sessionBand(
        preparedReplayOf(get()) as PreparedReplay,
        whole(),
        costTermsOf(get())?.terms as CostTerms,
        { windowTurns: 40, batchTurns: 8 },
      ),
    )
    actions.chooseRequest(100)
    await hasFigures()
    expect(requestViewOf(get())).toEqual(replayFigures(whole(), 100).request)
    expect(asked('replay')).toHaveLength(before + 2)
    const losses = refetchCosts(
      preparedReplayOf(get()) as PreparedReplay,
      losableUsesOf(get()) ?? [],
      costTermsOf(get())?.terms as CostTerms,
    )
    expect(refetchedOf(get())).toEqual(losses({ windowTurns: 40, batchTurns: 8 }))
  })
})

describe('the sweep', () => {
  test('has every batch, and is not asked for again if the window or the batch changes', async () => {
    const { asked, spawn } = recorder()
    const { get, actions } = await opened(SESSION, spawn)
    const before = sweepOf(get())
    for (const windowTurns of [7, 6, 5]) actions.changePolicy({ windowTurns, batchTurns: 4 })
    expect(sweepOf(get())).toBe(before)
    expect(asked('sweep')).toHaveLength(1)
    actions.changePolicy({ batchTurns: 5 })
    expect(sweepOf(get())).toBe(before)
    expect(before?.batches).toEqual([
      ...Array.from({ length: 19 }, (_, index) => index + 1),
      'auto',
    ])
    expect(asked('sweep')).toHaveLength(1)
  })
})

test('what moves cost is asked of a window at break-even only', async () => {
  const { asked, spawn } = recorder()
  const { get, actions } = await opened(SESSION, spawn)
  const answered = () => eventually(() => expect(limitsOf(get())).toBeDefined())
  for (const batchTurns of [4, 5]) actions.changePolicy({ batchTurns })
  await answered()
  expect(limitsOf(get())?.moves).toBeUndefined()
  const before = asked('limit').length
  actions.changePolicy({ batchTurns: 6 })
  expect(asked('limit')).toHaveLength(before)
  actions.changePolicy({ batchTurns: 'auto' })
  await answered()
  expect(limitsOf(get())?.moves).toBeDefined()
  expect(asked('limit')).toHaveLength(before + 1)
})

test('costs follow the newest of many changes after a text was broken and that was undone', async () => {
  const { get, actions, playground } = await opened()
  actions.editText([{ start: 0, end: 1, text: '' }])
  await eventually(() => expect(get().reading.state).toBe('failed'))
  actions.undo()
  await eventually(() => expect(get().reading.state).toBe('read'))
  for (let at = 0; at < 20; at++) actions.changePolicy({ placeholderTemplate: `[${at}]` })
  expect([sweepOf(get()), replayOf(get())]).toEqual([undefined, undefined])
  await swept(playground)
  expect(replayOf(get())).toEqual(await replayedApart(get()))
})
