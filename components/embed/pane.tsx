import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { readSettingsLink } from '@/lib/core/share/link/settings-link'
import { conversationOf } from '@/lib/state/document/selectors'
import { embeddedFragment } from '@/lib/state/link/settings-url'
import { ComparisonStrip } from '../compare/comparison-strip'
import { MessageList } from '../messages-view/message-list'
import { usePlaygroundState, useView } from '../playground-context'
import { Slider } from '../ui/slider'

const PLAYGROUND = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/`

/** The window, the messages it leaves, and the way to the playground with the same settings. */
export function Pane() {
  const { t, actions } = useView('embed')
  const { t: labels } = useView('policy')
  const { t: panes } = useView('panes')
  const [transcript] = useState(() => readSettingsLink(location.hash).settings.transcript)
  const fragment = usePlaygroundState((state) => embeddedFragment(state, transcript))
  const windowTurns = usePlaygroundState(({ policy }) => policy.windowTurns)
  const turns = usePlaygroundState((state) => conversationOf(state)?.turnCount ?? 0)
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{t('title')}</h1>
      <ComparisonStrip />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 border-y px-6 py-1.5 max-lg:px-4">
        <div className="flex min-w-60 flex-1 items-center gap-3">
          <span className="font-medium">{labels('labels.windowTurns')}</span>
          <div className="min-w-24 flex-1">
            <Slider
              label={labels('labels.windowTurns')}
              value={windowTurns}
              minimum={0}
              maximum={turns}
              valueText={(n) => labels('window.value', { n })}
              onValueChange={(next) => actions.changePolicy({ windowTurns: next })}
              isDisabled={turns === 0}
            />
          </div>
          <span className="min-w-16 text-soft">{labels('window.value', { n: windowTurns })}</span>
        </div>
        <a
          href={`${PLAYGROUND}#${fragment}`}
          target="_blank"
          rel="noopener"
          className="flex items-center gap-1 text-accent underline-offset-2 hover:underline"
        >
          {t('open')}
          <ExternalLink className="size-3.5" aria-hidden />
        </a>
      </div>
      <section
        aria-label={panes('sent')}
        className="min-h-0 flex-1 short:h-[80dvh] short:flex-none"
      >
        <h2 className="sr-only">{panes('sent')}</h2>
        <MessageList />
      </section>
    </main>
  )
}
