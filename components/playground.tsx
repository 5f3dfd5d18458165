'use client'

import { ComparisonStrip } from './compare/comparison-strip'
import { ConversationPicker } from './conversations/conversation-picker'
import { DocumentBadge } from './conversations/document-badge'
import { DraftsProvider } from './drafts/drafts-context'
import { ForgetDialog } from './drafts/forget-dialog'
import { RecentDialog } from './drafts/recent-dialog'
import { SaveDialog } from './drafts/save-dialog'
import { useKeepOnLeave } from './drafts/use-keep-on-leave'
import { useSaveShortcut } from './drafts/use-save-shortcut'
import { LibraryDrawer } from './library/library-drawer'
import { LibraryOpener } from './library/library-opener'
import { LoopDrawer } from './loop/loop-drawer'
import { LoopOpener } from './loop/loop-opener'
import { Meters } from './meters/meters'
import { NothingMasked } from './meters/nothing-masked'
import { Panes } from './panes/panes'
import { PlaygroundProvider, usePlaygroundState } from './playground-context'
import { PolicyPanel } from './policy/policy-panel'
import { PolicySheet } from './policy/policy-sheet'
import { MessageList } from './reading/message-list'
import { RepairOpener } from './repair/repair-opener'
import { RepairView } from './repair/repair-view'
import { SavingsDrawer } from './savings/drawer/savings-drawer'
import { SavingsOpener } from './savings/drawer/savings-opener'
import { SweepCaption } from './savings/sweep-caption'
import { SweepChart } from './savings/sweep-chart'
import { DropZone } from './shell/drop-zone'
import { FooterBar } from './shell/footer-bar'
import { HeaderBar } from './shell/header-bar'
import { Notices } from './shell/notices'
import { OpeningNote } from './shell/opening-note'
import { useIsNarrow } from './shell/use-is-narrow'
import { useShortcuts } from './shell/use-shortcuts'
import { useStart } from './shell/use-start'
import { Timeline } from './timeline/timeline'
import { TooltipProvider } from './ui/tooltip'

/** The whole page. */
export function Playground() {
  return (
    <PlaygroundProvider>
      <DraftsProvider>
        <TooltipProvider>
          <Screen />
        </TooltipProvider>
      </DraftsProvider>
    </PlaygroundProvider>
  )
}

function Screen() {
  useStart()
  useShortcuts()
  useKeepOnLeave()
  useSaveShortcut()
  const isNarrow = useIsNarrow()
  // What stands above the panes is then of the last text that could be read.
  const isStale = usePlaygroundState(({ reading }) => reading.state === 'failed')
  const windowChart = { windowChart: <SweepChart />, windowCaption: <SweepCaption /> }
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh">
      <HeaderBar>
        <DocumentBadge />
        <ConversationPicker />
        <LibraryOpener />
        <RepairOpener />
      </HeaderBar>
      <OpeningNote />
      <div className={`overflow-x-clip transition-opacity ${isStale ? 'opacity-50' : ''}`}>
        <Meters />
        <ComparisonStrip />
        <Timeline />
      </div>
      <main className="flex min-h-0 flex-1">
        {isNarrow === false && (
          <div className="w-75 shrink-0 overflow-y-auto border-line border-r">
            <PolicyPanel {...windowChart} />
          </div>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <NothingMasked />
          {isNarrow === false && (
            <div className="min-h-0 flex-1">
              <Panes messages={<MessageList />} />
            </div>
          )}
          {isNarrow && (
            <div className="flex h-[80dvh] flex-col border-line border-b">
              <MessageList />
            </div>
          )}
          <LibraryDrawer />
          <SavingsDrawer />
          <LoopDrawer />
        </div>
      </main>
      {isNarrow && (
        <div className="sticky bottom-0 z-20 flex border-line border-t bg-paper px-4 py-2 [&>button]:flex-1">
          <PolicySheet {...windowChart} />
        </div>
      )}
      <FooterBar>
        <SavingsOpener />
        <LoopOpener />
      </FooterBar>
      <DropZone />
      <Notices />
      <RecentDialog />
      <SaveDialog />
      <ForgetDialog />
      <RepairView />
    </div>
  )
}
