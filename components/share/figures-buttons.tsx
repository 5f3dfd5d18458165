import { useTranslations } from 'use-intl'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { isCurrent } from '@/lib/state/document/selectors'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { today } from '../today'
import { Button } from '../ui/button'

/** Copies a link with the figures, or shows them in a new tab as on a projector. */
export function FiguresButtons({ isPrimary, onDone }: { isPrimary: boolean; onDone: () => void }) {
  const t = useTranslations('figures')
  const { store, actions } = usePlayground()
  const isReady = usePlaygroundState(
    (state) => isCurrent(state) && recommendationOf(state) !== undefined,
  )
  const withLink = (use: (link: string) => Promise<void> | void) => async () => {
    // The report's code loads with the first link.
    const [{ reportFactsOf }, { figuresUrl }] = await Promise.all([
      import('@/lib/state/costs/session-report'),
      import('./figures-url'),
    ])
    const state = store.getState()
    const facts = reportFactsOf(state, { day: today(), hasNames: false })
    if (facts === undefined) actions.notify('figures_wait')
    else await use(figuresUrl(state, facts))
    onDone()
  }
  const present = (link: string) => void open(link, '_blank')
  const copy = async (link: string) => {
    const { copyFigures } = await import('./figures-url')
    await copyFigures(actions, link, false)
  }
  return (
    <div className="flex gap-2">
      <Button disabled={!isReady} onClick={withLink(present)}>
        {t('present')}
      </Button>
      <Button kind={isPrimary ? 'primary' : 'plain'} disabled={!isReady} onClick={withLink(copy)}>
        {t('share')}
      </Button>
    </div>
  )
}
