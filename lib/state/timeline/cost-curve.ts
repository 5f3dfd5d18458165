/** What each place of the window's edge would cost, under the marks of the timeline, or each value of a mechanism's setting. */
import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { pointAt } from '@/lib/core/replay/sweep'
import { windowsOf } from '@/lib/core/replay/sweep-grid'
import { mainCurveOf } from '../costs/tried-mechanism'
import { conversationOf } from '../document/selectors'
import { sweepOf } from '../policy/policy-view'
import { select } from '../store'
import { turnOpeners } from './window-edge'

/** The path is in a box of this width and height. */
export const CURVE_BOX = { width: 1000, height: 100 }

/** Space above and below the curve, in parts of the box's height. */
const MARGIN = 8

type Spent = Pick<ShownFigures, 'tokens' | 'cost'>

/**
 * Lays out costs by place, from 0 to 1; tokens if a price is unknown. Lower is cheaper. Where nothing costs anything else,
 * there is no line but that of the cost before.
 */
export function layoutCurve(given: Spent, places: readonly (Spent & { readonly place: number })[]) {
  const isPriced = given.cost !== undefined && places.every(({ cost }) => cost !== undefined)
  const spentOf = ({ tokens, cost }: Spent) => (isPriced ? (cost as number) : tokens)
  const before = spentOf(given)
  const values = [before, ...places.map(spentOf)]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const height = CURVE_BOX.height - 2 * MARGIN
  const isFlat = least === most
  const yOf = (value: number) =>
    MARGIN + (isFlat ? 1 / 2 : (most - value) / (most - least)) * height
  const points = places.map((one) => {
    return `${(one.place * CURVE_BOX.width).toFixed(1)} ${yOf(spentOf(one)).toFixed(1)}`
  })
  const xOf = (one: (typeof places)[number] | undefined) => (one?.place ?? 0) * CURVE_BOX.width
  const ends = [places.at(-1), places[0]].map((one) => `L${xOf(one)} ${yOf(before)}`)
  return {
    path: isFlat ? '' : `M${points.join('L')}`,
    area: isFlat ? '' : `M${points.join('L')}${ends.join('')}Z`,
    before: { value: before, y: yOf(before) },
    isPriced,
    spentOf,
    yOf,
  }
}

/** Costs with caching by place of the edge, with the present step. */
export const costCurveOf = select(
  [sweepOf, conversationOf, ({ policy }) => policy.batchTurns],
  (swept, conversation, batchTurns) => {
    const { turnCount, messages } = conversation
    const windows = windowsOf(swept, batchTurns)
    if (windows.length === 0) return undefined
    const openers = turnOpeners(conversation)
    const placeOf = (windowTurns: number) =>
      (openers[Math.max(0, turnCount - windowTurns)] ?? messages.length) / messages.length
    const before = { tokens: swept.before.tokens, cost: swept.before.costs.cached }
    const places = windows.flatMap((windowTurns) => {
      const total = pointAt(swept, { windowTurns, batchTurns })?.total
      if (total === undefined || windowTurns > turnCount) return []
      return { place: placeOf(windowTurns), tokens: total.tokens, cost: total.costs.cached }
    })
    // Longer windows mask nothing.
    const longest = placeOf(Math.min(turnCount, (windows.at(-1) ?? 0) + 1))
    return layoutCurve(before, [...places, { place: longest, ...before }, { place: 0, ...before }])
  },
)

/** Costs by value of the main setting of the mechanism that is tried, the values side by side. */
export const settingCurveOf = select(
  [(state) => mainCurveOf(state) ?? undefined],
  ({ key, before, points, best }) => {
    const places = points.map((point, at) => {
      return { ...point, place: at / Math.max(1, points.length - 1) }
    })
    const cheapest = places.find(({ value }) => value === best?.value)
    return { ...layoutCurve(before, places), key, places, best: cheapest }
  },
)
