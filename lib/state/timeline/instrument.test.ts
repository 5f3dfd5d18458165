import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { conversationOf } from '../document/selectors'
import { figuresOf, lostUsesOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { opened, SESSION } from '../testing/open-session'
import { forgottenOf, laterUsesOf } from '../uses/later-uses'
import { costCurveOf } from './cost-curve'
import { windowEdge } from './window-edge'

const sample = (name: string) =>
  readFileSync(new URL(`../../../public/samples/${name}.json`, import.meta.url), 'utf8')
/** What is shown together; throws until all of it is there. */
function shownOf(state: PlaygroundState) {
  const [curve, conversation] = [costCurveOf(state), conversationOf(state)]
  const cost = figuresOf(state)?.after.costs.cached
  if (curve === undefined || conversation === undefined || cost === undefined)
    throw new Error(`There is no curve or no cost: ${cost}.`)
  return { curve, conversation, cost, policy: state.policy }
}

const TEXTS = [SESSION, sample('coding-session'), sample('log-reading')]

test.each(TEXTS)(
  'the curve has the cost of the settings at the edge, and everything before the longest window: %#',
  async (text) => {
    const { store, actions } = await opened(text)
    for (const batchTurns of [1, 4, 'auto'] as const) {
      for (const windowTurns of [1, 2, 5, 8, 13, 19]) {
        actions.changePolicy({ enabled: true, windowTurns, batchTurns })
        const { curve, conversation, policy, cost } = await eventually(() =>
          shownOf(store.getState()),
        )
        const points = curve.path
          .slice(1)
          .split('L')
          .map((point) => point.split(' ').map(Number))
        const x =
          (windowEdge(conversation, policy).setMessage / conversation.messages.length) * 1000
        const y = points.find(([at = -1]) => Math.abs(at - x) < 0.1)?.[1]
        // Longer windows are on the line of sending everything.
        expect(y ?? curve.before.y, `${windowTurns}, ${batchTurns}`).toBeCloseTo(curve.yOf(cost), 1)
        expect(points.at(-1)).toEqual([0, Number(curve.before.y.toFixed(1))])
      }
    }
  },
)

test.each(TEXTS)(
  'what is forgotten is every result with a lost use, once, with its first need: %#',
  async (text) => {
    const { store, actions } = await opened(text)
    await eventually(() => expect(forgottenOf(store.getState())).toBeDefined())
    for (const windowTurns of [1, 3, 9]) {
      actions.changePolicy({ enabled: true, windowTurns, batchTurns: 1 })
      const state = store.getState()
      const forgotten = forgottenOf(state) ?? []
      const uses = laterUsesOf(state) ?? []
      const lost = (lostUsesOf(state) ?? []).map(({ use }) => uses[use] as LaterUse)
      if (text === TEXTS[1]) expect(forgotten.length).toBeGreaterThan(3)
      const results = forgotten.map(({ result }) => result)
      expect(results).toEqual([...new Set(results)].sort((a, b) => a - b))
      for (const { result, message } of lost)
        expect(forgotten.find((one) => one.result === result)?.message).toBeLessThanOrEqual(message)
    }
  },
)
