import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { batchNumber } from '@/lib/core/policy/policy'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import type { Sweep } from '@/lib/core/replay/sweep'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { costAt, listedAt, mapAxes } from '@/lib/state/costs/setting-map'
import { isOutdated } from '@/lib/state/document/selectors'
import { isWindowSet } from '@/lib/state/policy/policy-facts'
import { limitsOf, sweepOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, useShown, useView } from '../playground-context'
import { stepOfKey } from '../ui/step-of-key'
import { usePreview } from '../use-preview'

const HATCH = 'repeating-linear-gradient(135deg, transparent 0 4px, var(--paper) 4px 5px)'

export function SessionMap() {
  const { shown: swept, isOld: isAwaited } = useShown(sweepOf)
  const recommendation = useDeferredState(recommendationOf)
  const isOld = useDeferredState(isOutdated) || isAwaited
  const { t, format } = useView('cost.map')
  const window = useDeferredState(({ policy }) => policy.windowTurns)
  const least = useShown(limitsOf).shown?.any?.cost
  const before = swept?.before.costs.cached
  if (swept === undefined || swept.largestWindow < 2) return null
  const best = recommendation?.state === 'mask' ? recommendation.point : undefined
  return (
    <div aria-busy={isOld} className={isOld ? 'faded' : ''}>
      <SettingMap swept={swept} best={best} />
      {before !== undefined && (
        <p className="min-h-[2.9em] text-soft text-sm">
          {least !== undefined &&
            t('floor', {
              window,
              value: format.money(least, before),
              change: format.change(before, least),
            })}
        </p>
      )}
    </div>
  )
}

/**
 * Windows and steps as cells, green where a setting saves even if everything lost is fetched again, amber where it costs
 * more: a ring for the one in use, a star for the recommended one. The pointer and the arrow keys read and preview a
 * cell; a press sets it.
 */
export function SettingMap(props: {
  readonly swept: Sweep
  readonly best: MaskWindow | undefined
}) {
  const { swept, best } = props
  const { t, format, actions } = useView('cost.map')
  const policy = useDeferredState((state) => state.policy)
  const { enabled, windowTurns, batchTurns } = policy
  const smallest = useDeferredState(({ advice }) => advice.smallestWindow)
  const rule = useDeferredState(knownRuleOf)
  const table = useRef<HTMLTableElement>(null)
  const [pointed, setPointed] = useState<string>()
  const preview = usePreview()

  const { say, windows, batches, cells } = useMemo(() => {
    const axes = mapAxes(swept, best)
    const isBest = (setting: MaskWindow) =>
      setting.windowTurns === best?.windowTurns && setting.batchTurns === best.batchTurns
    const say = (setting: MaskWindow) => {
      const { before, after, worst = after, lostUses = 0, isPriced } = costAt(swept, setting) ?? {}
      return t('cell', {
        window: setting.windowTurns,
        batch: batchNumber(setting),
        isBest: isBest(setting) ? 'yes' : 'no',
        value: isPriced ? format.money(after) : format.number(after),
        change: format.change(before, after),
        forgotten: lostUses,
        worst: format.change(before, worst),
      })
    }
    const cells = axes.batches.map((batch) =>
      axes.windows.map((window) => {
        const setting = { windowTurns: window, batchTurns: batch }
        const { before = 0, after = 0, worst = after } = costAt(swept, setting) ?? {}
        return { setting, label: say(setting), isBest: isBest(setting), change: worst - before }
      }),
    )
    return { say, ...axes, cells }
  }, [swept, best, t, format])

  const changes = cells.flat().map(({ change }) => change)
  const [least, most] = [Math.min(0, ...changes), Math.max(0, ...changes)]
  const isOn = enabled && windowTurns > 0
  const [windowNow, batchNow] = [listedAt(windows, windowTurns), listedAt(batches, batchTurns)]

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const [row, column] = ((event.target as HTMLElement).dataset.cell ?? '').split(' ').map(Number)
    if (row === undefined || column === undefined) return
    const isVertical = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    const at = stepOfKey(event, 1, isVertical ? -row : column, 0, windows.length - 1)
    if (at === undefined) return
    event.preventDefault()
    const next = isVertical ? `${-at} ${column}` : `${row} ${at}`
    table.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus()
  }

  return (
    <div>
      <table
        ref={table}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setPointed(undefined)}
        onBlur={() => setPointed(undefined)}
        className="w-full table-fixed border-separate border-spacing-px forced-color-adjust-none text-faint text-xs tabular-nums"
      >
        <caption className="pb-0.5 text-left">
          {t(rule === 'unknown' ? 'labelUnknown' : 'label')}
        </caption>
        <thead>
          <tr>
            <td className="w-8" />
            {windows.map((window) => (
              <th key={window} scope="col" className="font-normal">
                <span className="sr-only">{t('window')} </span>
                {window}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((cellsOfRow, row) => (
            <tr key={batches[row]}>
              <th scope="row" className="pr-1.5 text-right font-normal">
                <span className="sr-only">{t('step')} </span>
                {batches[row] === 'auto' ? t('auto') : batches[row]}
              </th>
              {cellsOfRow.map(({ setting, label, isBest, change }, column) => {
                const isNow = setting.windowTurns === windowNow && setting.batchTurns === batchNow
                return (
                  <td
                    key={setting.windowTurns}
                    className="p-0"
                    {...preview({ ...setting, enabled: true })}
                  >
                    <button
                      type="button"
                      data-cell={`${row} ${column}`}
                      tabIndex={isNow ? 0 : -1}
                      aria-pressed={isOn && isWindowSet(policy, setting)}
                      aria-label={label}
                      onPointerEnter={() => setPointed(label)}
                      onFocus={() => setPointed(label)}
                      onClick={() => actions.applyWindow(setting)}
                      className={`-outline-offset-2 block h-6 w-full cursor-pointer rounded-xs text-ink outline-ink hover:outline-1 forced-colors:[text-shadow:0_0_2px_Canvas,0_0_3px_Canvas,0_0_4px_Canvas] ${isOn && isNow ? 'outline-2' : ''}`}
                      style={{
                        backgroundColor: colourOf(change),
                        // No window of fewer turns is recommended.
                        backgroundImage: setting.windowTurns < smallest ? HATCH : undefined,
                      }}
                    >
                      {isBest && '★'}
                      {/* Without its colours. */}
                      <span className="hidden forced-colors:inline">{change > 0 && '+'}</span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p aria-hidden className="mt-1 min-h-[4.4em] text-soft text-sm sm:max-lg:min-h-[2.9em]">
        {pointed ?? (isOn ? say({ windowTurns, batchTurns }) : t('hint'))}
      </p>
    </div>
  )

  function colourOf(change: number): string {
    if (change === 0) return 'color-mix(in srgb, var(--ghost) 25%, var(--paper))'
    const [colour, share] = change < 0 ? ['good', change / least] : ['warn', change / most]
    return `color-mix(in srgb, var(--${colour}) ${Math.round(15 + 60 * share)}%, var(--paper))`
  }
}
