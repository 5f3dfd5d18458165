import { conversationOf } from '@/lib/state/document/selectors'
import { arcsOf, forgottenOf, laterUsesOf, repeatedArcsOf } from '@/lib/state/uses/later-uses'
import { loadWithTexts } from '../load-with-texts'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { LegendStep, useSteps } from './legend-steps'

/** Arcs from results to the answers that use them again, above the marks of the timeline. */
export function UseArcs() {
  const messages = useDeferredState((state) => conversationOf(state)?.messages.length ?? 0)
  const { shown: arcs } = useShown(arcsOf)
  // The same call again, which uses no word of the result.
  const again = useDeferredState(repeatedArcsOf)
  const selected = usePlaygroundState(({ selection }) => selection?.message)
  // Its height is reserved until it is known.
  if (arcs === undefined) return <div className="h-(--arcs)" />
  if (messages === 0) return null
  const lost = [...arcs.lost, ...(again ?? [])]
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
      data-picture="arcs"
      viewBox="0 0 1000 100"
      preserveAspectRatio="none"
      className="pointer-events-none block h-(--arcs) w-full overflow-hidden fill-none [&_path]:[vector-effect:non-scaling-stroke]"
    >
      <path d={path(arcs.kept)} className="stroke-ghost/45" strokeWidth="1" />
      <path
        d={path(lost.filter(([from]) => from === selected))}
        className="stroke-bad"
        strokeWidth="3"
      />
      <path d={path(lost)} className="stroke-bad/70" strokeWidth="1.5" />
    </svg>
  )
}

/** The results that are used again, in the legend, and the list of those that were masked by then. */
export function UseLegend() {
  const { t, store } = useView('uses.arcs')
  const { stepResults } = useSteps()
  const arcs = useDeferredState(arcsOf)
  const forgotten = useDeferredState((state) => forgottenOf(state)?.length) ?? 0
  if (arcs === undefined || arcs.results + forgotten === 0) return null
  const swatch = (stroke: string) => (
    <svg aria-hidden viewBox="0 0 12 8" className="h-2 w-3 shrink-0 fill-none">
      <path d="M1 8Q6 -5 11 8" className={stroke} strokeWidth="1.5" />
    </svg>
  )
  const step = (isBack: boolean) => {
    const results = (laterUsesOf(store.getState()) ?? []).map(({ result }) => result)
    stepResults(
      results.toSorted((a, b) => a - b),
      isBack,
    )
  }
  return (
    <>
      <LegendStep
        label={t('legend', { count: arcs.results })}
        onStep={step}
        swatch={swatch('stroke-ghost')}
      />
      {forgotten > 0 && (
        <li className="flex">
          <Popover
            title={t('forgottenTitle')}
            className="w-[min(36rem,calc(100vw-1rem))]"
            trigger={
              <Button kind="ghost" size="small" className="-mx-1 h-6! px-1 font-medium text-bad">
                {swatch('stroke-bad')}
                {t('legendLost', { count: forgotten })}
              </Button>
            }
          >
            <ForgottenList />
          </Popover>
        </li>
      )}
    </>
  )
}

const ForgottenList = loadWithTexts(
  async () => (await import('../uses/forgotten-list')).ForgottenList,
)
