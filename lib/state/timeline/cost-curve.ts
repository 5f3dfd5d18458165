/** What each place of the window's edge would cost, under the marks of the timeline. */
import { pointAt, type SweepPoint } from '@/lib/core/replay/sweep'
import { windowsOf } from '@/lib/core/replay/sweep-grid'
import { conversationOf } from '../document/selectors'
import { sweepOf } from '../policy/policy-view'
import { select } from '../store'
import { turnOpeners } from './window-edge'

/** The path is in a box of this width and height. */
export const CURVE_BOX = { width: 1000, height: 100 }

/** Space above and below the curve, in parts of the box's height. */
const MARGIN = 8

/**
 * Costs with caching by place of the edge, with the present step; tokens if a price is unknown. Lower is cheaper. Where no
 * place costs anything else, there is no line but that of the cost without masking.
 */
export const costCurveOf = select(
  [sweepOf, conversationOf, ({ policy }) => policy.batchTurns],
  (swept, conversation, batchTurns) => {
    const { turnCount, messages } = conversation
    const points = windowsOf(swept, batchTurns).flatMap(
      (windowTurns) => pointAt(swept, { windowTurns, batchTurns }) ?? [],
    )
    const isPriced =
      swept.before.costs.cached !== undefined &&
      points.every(({ total }) => total.costs.cached !== undefined)
    const costOf = (total: SweepPoint['total']) =>
      isPriced ? (total.costs.cached as number) : total.tokens
    const before = costOf(swept.before)
    const values = [before, ...points.map(({ total }) => costOf(total))]
    const [least, most] = [Math.min(...values), Math.max(...values)]
    if (points.length === 0) return undefined
    const openers = turnOpeners(conversation)
    const height = CURVE_BOX.height - 2 * MARGIN
    const isFlat = least === most
    const yOf = (value: number) =>
      MARGIN + (isFlat ? 1 / 2 : (most - value) / (most - least)) * height
    const xOf = (windowTurns: number) =>
      ((openers[Math.max(0, turnCount - windowTurns)] ?? messages.length) / messages.length) *
      CURVE_BOX.width
    const longest = points.at(-1)?.windowTurns ?? 0
    const line: [x: number, y: number][] = points
      .filter(({ windowTurns }) => windowTurns <= turnCount)
      .map(({ windowTurns, total }) => [xOf(windowTurns), yOf(costOf(total))])
    // Longer windows mask nothing.
    line.push([xOf(Math.min(turnCount, longest + 1)), yOf(before)], [0, yOf(before)])
    const path = line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
    const [first] = line
    return {
      path: isFlat ? '' : `M${path}`,
      area: isFlat ? '' : `M${path}L${first?.[0]} ${yOf(before)}Z`,
      before: { value: before, y: yOf(before) },
      isPriced,
      yOf,
    }
  },
)
