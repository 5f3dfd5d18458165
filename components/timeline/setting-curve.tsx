import { type KeyboardEvent, useRef } from 'react'
import { type SettingValue, shownSetting, validSettings } from '@/lib/core/mechanisms/mechanism'
import { triedMechanismOf } from '@/lib/state/costs/tried-mechanism'
import { settingCurveOf } from '@/lib/state/timeline/cost-curve'
import { useTried } from '../mechanisms/mechanism-detail'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { stepOfKey } from '../ui/step-of-key'
import { CurvePicture } from './cost-curve'
import { type OnStrip, StripHandle } from './window-handle'

/** The cost of the session by the main setting of the mechanism that is tried, which a click, a drag or a key sets. */
export function SettingCurve({ placeOf }: OnStrip) {
  const { t, format, actions, store } = useView('mechanisms.curve')
  const { t: tokens } = useView('timeline')
  const atStart = useRef(store.getState())
  const tried = useTried()
  const { shown: curve, isOld } = useShown(settingCurveOf)
  const measured = useDeferredState(triedMechanismOf)?.measure
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  if (tried === undefined || tried.facts.rows.length === 0) return null
  const settings = validSettings(tried.facts, tried.given)
  const value = settings[curve?.key ?? '']
  // The curve of another mechanism may still be there.
  if (curve === undefined || value === undefined)
    return <p className="text-faint text-xs">{t('pending', { name: tried.name })}</p>
  const { key, places, best, before, spentOf } = curve
  const next = places.findIndex((one) => one.value === value || Number(one.value) > Number(value))
  const at = next === -1 ? places.length - 1 : next
  const known = places[at]
  // A value that is not on the curve has the cost of its replay, at the next one.
  const isOn = known?.value === value
  const now = isOn ? known : measured?.settings[key] === value ? measured : undefined
  const [place, spent] = [known?.place ?? 1, now && spentOf(now)]
  const choose = (to: number) => {
    const chosen = places[Math.min(places.length - 1, Math.max(0, to))]
    if (chosen === undefined || chosen.value === value) return
    const { id } = tried
    actions.tryMechanism({ id, settings: { ...settings, [key]: chosen.value } }, `mechanism ${key}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOfKey(event, 5, at, 0, places.length - 1)
    if (step === undefined) return
    event.preventDefault()
    choose(step)
    actions.endGesture()
  }
  const moneyOf = (amount: number) =>
    curve.isPriced ? format.money(amount, before.value) : tokens('tokens', { tokens: amount })
  const named = (one: SettingValue = '') =>
    typeof one === 'number' ? format.number(one) : shownSetting(one)
  const figures = spent === undefined ? [] : [moneyOf(spent), format.change(before.value, spent)]
  const said = [`${key} ${named(value)}`, ...figures].join(' · ')
  const bestText = best && t('best', { value: named(best.value), share: format.share(keptShare) })
  const ends = { least: named(places[0]?.value), most: named(places.at(-1)?.value) }
  return (
    <>
      <CurvePicture
        {...{ curve, isOld }}
        now={spent === undefined ? undefined : { place, value: spent }}
        best={best && { place: best.place, value: spentOf(best) }}
        note={t('range', { key, ...ends })}
      />
      <StripHandle
        placeOf={placeOf}
        onDragStart={(start) => {
          atStart.current = store.getState()
          choose(Math.round(start * (places.length - 1)))
        }}
        onDrag={(next) => choose(Math.round(next * (places.length - 1)))}
        onDragEnd={actions.endGesture}
        onDragCancel={() => actions.takeBack(atStart.current)}
        aria-label={t('label', { name: tried.name, key })}
        aria-description={bestText}
        aria-valuemin={1}
        aria-valuemax={places.length}
        aria-valuenow={at + 1}
        aria-valuetext={said}
        className="group/setting cursor-ew-resize rounded-sm focus-visible:outline-2 focus-visible:outline-accent"
        // The mark of the request is above it.
        style={{ left: 0, width: '100%', pointerEvents: 'auto', zIndex: 1 }}
        onKeyDown={onKeyDown}
      />
      <div aria-hidden className="pointer-events-none absolute inset-x-0 bottom-full z-20 mb-0.5">
        <p
          className="absolute bottom-0 w-max max-w-full rounded-md bg-ink px-2.5 py-0.5 font-semibold text-paper text-sm tabular-nums"
          style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
        >
          {said}
        </p>
      </div>
    </>
  )
}
