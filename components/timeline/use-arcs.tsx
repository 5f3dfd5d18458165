import { useTranslations } from 'use-intl'
import { conversationOf } from '@/lib/state/document/selectors'
import { lostUsesOf } from '@/lib/state/policy/policy-view'
import { arcsOf, laterUsesOf } from '@/lib/state/uses/later-uses'
import { useDeferredState, usePlayground, useShown } from '../playground-context'
import { LegendStep, useSteps } from './legend-steps'

/** Arcs from results to the answers that use them again, above the marks of the timeline. */
export function UseArcs() {
  const messages = useDeferredState((state) => conversationOf(state)?.messages.length ?? 0)
  const { shown: arcs } = useShown(arcsOf)
  // Its height is reserved until it is known.
  if (arcs === undefined) return <div className="h-(--arcs)" />
  if (messages === 0) return null
  const x = (message: number) => (((message + 0.5) / messages) * 1000).toFixed(1)
  const path = (of: readonly (readonly [number, number])[]) =>
    of
      .map(([from, to]) => {
        const height = 12 + 88 * Math.sqrt((to - from) / messages)
        const middle = ((from + to + 1) / 2 / messages) * 1000
        return `M${x(from)} 100Q${middle.toFixed(1)} ${(100 - 2 * height + 12).toFixed(1)} ${x(to)} 100`
      })
      .join('')
  return (
    <svg
      aria-hidden
      viewBox="0 0 1000 100"
      preserveAspectRatio="none"
      className="pointer-events-none block h-(--arcs) w-full overflow-hidden fill-none [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <path d={path(arcs.kept)} className="stroke-ghost/45" strokeWidth="1" />
      <path d={path(arcs.lost)} className="stroke-bad/70" strokeWidth="1.5" />
    </svg>
  )
}

/** The results that are used again, in the legend; an entry goes to the next of them. */
export function UseLegend() {
  const t = useTranslations('uses.arcs')
  const arcs = useDeferredState(arcsOf)
  const step = useStepToLost()
  if (arcs === undefined || arcs.results === 0) return null
  const entry = (label: string, isLost: boolean) => (
    <LegendStep
      label={label}
      title={t('step', { label })}
      onStep={(isBack) => step(isLost, isBack)}
      swatch={
        <svg aria-hidden viewBox="0 0 12 8" className="h-2 w-3 shrink-0 fill-none">
          <path
            d="M1 8Q6 -5 11 8"
            className={isLost ? 'stroke-bad' : 'stroke-ghost'}
            strokeWidth="1.5"
          />
        </svg>
      }
    />
  )
  return (
    <>
      {entry(t('legend', { count: arcs.results }), false)}
      {arcs.lostResults > 0 && entry(t('legendLost', { count: arcs.lostResults }), true)}
    </>
  )
}

/** Returns a function that goes to the next result that is used again; with `isLost`, after it was masked. */
export function useStepToLost(): (isLost: boolean, isBack?: boolean) => void {
  const { store } = usePlayground()
  const { stepResults } = useSteps()
  return (isLost, isBack) => {
    const uses = (isLost ? lostUsesOf : laterUsesOf)(store.getState()) ?? []
    const results = new Set(uses.map(({ result }) => result))
    stepResults(
      [...results].sort((a, b) => a - b),
      isBack,
    )
  }
}
