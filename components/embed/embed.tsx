'use client'

import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isOutdated } from '@/lib/state/document/selectors'
import { startPlayground } from '@/lib/state/link/start-playground'
import { useAllTexts } from '../language-provider'
import { loadWithTexts } from '../load-with-texts'
import { Meters } from '../meters/meters'
import { PlaygroundProvider, usePlayground, usePlaygroundState } from '../playground-context'
import { fetchText } from '../shell/fetch-text'
import { useNoticeItems } from '../shell/use-notice-items'
import { NoticeList } from '../ui/notice-list'
import { TooltipProvider } from '../ui/tooltip'
import { useWindowEvents } from '../use-events'

/** Figures and messages in a frame of another page. Nothing can be opened or pasted here, and nothing is stored. */
export function Embed() {
  return (
    <PlaygroundProvider>
      <TooltipProvider>
        <Frame />
      </TooltipProvider>
    </PlaygroundProvider>
  )
}

const noDraft = async () => ({ isResumed: false, isKnownAddress: false })

function Frame() {
  const playground = usePlayground()
  const isDimmed = usePlaygroundState(isOutdated)
  const hasStarted = useRef(false)
  useEffect(() => {
    if (!hasStarted.current) void startPlayground(playground, location.hash, fetchText, noDraft)
    hasStarted.current = true
  }, [playground])
  useWindowEvents({ hashchange: () => location.reload() })
  return (
    <div className="flex h-dvh flex-col short:h-auto">
      <div className={`overflow-x-clip ${isDimmed ? 'faded' : ''}`}>
        <Meters />
      </div>
      <LazyPane />
      <Notices />
    </div>
  )
}

/** What is wrong with the frame's link; they stay until they are dismissed. */
function Notices() {
  const t = useTranslations('shell')
  const { actions } = usePlayground()
  const notices = usePlaygroundState((state) => state.notices)
  const hasTexts = useAllTexts(notices.length > 0)
  return (
    <NoticeList
      label={t('notices')}
      dismissLabel={t('dismiss')}
      onDismiss={actions.dismissNotice}
      onAttend={() => undefined}
      notices={useNoticeItems(notices, hasTexts)}
    />
  )
}

/** What is below the first figures. */
const LazyPane = loadWithTexts(async () => (await import('./pane')).Pane, { isLate: true })
