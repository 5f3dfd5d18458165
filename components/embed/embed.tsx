'use client'

import { useEffect, useRef } from 'react'
import { isOutdated } from '@/lib/state/document/selectors'
import { startPlayground } from '@/lib/state/link/settings-url'
import { loadWithTexts } from '../load-with-texts'
import { Meters } from '../meters/meters'
import {
  PlaygroundProvider,
  usePlayground,
  usePlaygroundState,
  useView,
} from '../playground-context'
import { fetchText } from '../shell/fetch-text'
import { NoticeList } from '../shell/notice-list'
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
  const { t } = useView('frame')
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
      <noscript>
        <p className="px-6 py-2">{t('no_script')}</p>
      </noscript>
      <div className={`overflow-x-clip ${isDimmed ? 'faded' : ''}`}>
        <Meters />
      </div>
      <LazyPane />
      {/* What is wrong with the frame's link; they stay until they are dismissed. */}
      <NoticeList Item={LazyNotice} areAllStaying />
    </div>
  )
}

const LazyNotice = loadWithTexts(async () => (await import('../shell/notice-item')).NoticeItem)

/** What is below the first figures. */
const LazyPane = loadWithTexts(async () => (await import('./pane')).Pane, { isLate: true })
