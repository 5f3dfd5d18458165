'use client'

import { useTranslations } from 'use-intl'
import { PlaygroundProvider } from './playground-context'
import { DropZone } from './shell/drop-zone'
import { HeaderBar } from './shell/header-bar'
import { Notices } from './shell/notices'
import { OpeningNote } from './shell/opening-note'
import { useShortcuts } from './shell/use-shortcuts'
import { useStart } from './shell/use-start'
import { TooltipProvider } from './ui/tooltip'

/** The whole page. */
export function Playground() {
  return (
    <PlaygroundProvider>
      <TooltipProvider>
        <Screen />
      </TooltipProvider>
    </PlaygroundProvider>
  )
}

function Screen() {
  const t = useTranslations('shell')
  useStart()
  useShortcuts(t('pastedName'))
  return (
    <div className="flex h-dvh flex-col">
      <HeaderBar>{null}</HeaderBar>
      <OpeningNote />
      <DropZone />
      <Notices />
    </div>
  )
}
