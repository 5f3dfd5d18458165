'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { isAwaited, isBlank, isOutdated, isUnreadable } from '@/lib/state/document/selectors'
import { DocumentBadge } from './conversations/document-badge'
import { DraftsProvider, useSaveOnLeave } from './drafts/drafts-context'
import { FileStepper, useFilesPage } from './file-list/file-stepper'
import { loadWithTexts } from './load-with-texts'
import { Meters } from './meters/meters'
import { PlaygroundProvider, Previewed, usePlaygroundState } from './playground-context'
import { DropZone, LinkNote } from './shell/drop-zone'
import { FooterBar } from './shell/footer-bar'
import { HeaderBar } from './shell/header-bar'
import { NoticeList } from './shell/notice-list'
import { SkipLinks } from './shell/skip-links'
import { useShortcuts } from './shell/use-shortcuts'
import { useStart } from './shell/use-start'
import { Timeline } from './timeline/timeline'
import { TooltipProvider } from './ui/tooltip'
import { isBesideAgent } from './watch/is-beside-agent'

/** What the pages of the playground share: document, header and footer. It stays while the user goes from one to another. */
export function Playground({ children }: { readonly children: ReactNode }) {
  return (
    <PlaygroundProvider>
      <DraftsProvider>
        <TooltipProvider>
          <Screen>{children}</Screen>
        </TooltipProvider>
      </DraftsProvider>
    </PlaygroundProvider>
  )
}

function Screen({ children }: { readonly children: ReactNode }) {
  const arrive = useStart()
  useShortcuts()
  useSaveOnLeave()
  useFilesPage()
  return (
    <div className="flex min-h-dvh flex-col lg:h-dvh print:h-auto">
      {/* What reads the query of the address is not rendered at build time. */}
      <Suspense>
        <AfterNavigation onArrive={arrive} />
      </Suspense>
      <SkipLinks isMain={usePathname() === '/'} />
      <HeaderBar>
        <DocumentBadge />
        <LazyConversationPicker />
        <FileStepper />
      </HeaderBar>
      <LazyAgentStrip />
      {children}
      <FooterBar />
      <DropZone />
      <NoticeList Item={LazyNotice} />
      <LazyDialogs />
    </div>
  )
}

function AfterNavigation({ onArrive }: { readonly onArrive: () => void }) {
  const shown = `${usePathname()}?${useSearchParams()}`
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return
    last.current = shown
    onArrive()
  }, [shown, onArrive])
  return null
}

/** The document under the policy. */
export function MainPage() {
  return (
    <>
      <LinkNote />
      <Dimmed>
        <Previewed>
          <Meters />
          <LazyComparisonStrip />
          <ReadTimeline />
        </Previewed>
      </Dimmed>
      <LazyWorkbench />
    </>
  )
}

export const ToolsPage = loadWithTexts(async () => (await import('./loop/tools')).Tools, {
  Waiting: EmptyPage,
})

export const FilesPage = loadWithTexts(
  async () => (await import('./file-list/file-list-page')).FileListPage,
  { Waiting: EmptyPage },
)

function EmptyPage() {
  return <main className="min-h-0 flex-1" />
}

/** An empty page has no timeline, nor has a text that was never read. */
function ReadTimeline() {
  return !usePlaygroundState((state) => isUnreadable(state) || isBlank(state)) && <Timeline />
}

/** Dims what belongs to another text than the one that is open. What it contains is made outside, so that it is not redrawn. */
function Dimmed({ children }: { readonly children: ReactNode }) {
  const isDimmed = usePlaygroundState(isOutdated)
  const isBusy = usePlaygroundState(isAwaited)
  // The page then shows the reason, not figures without a value; a narrow one does for an edited text, too.
  const isFailed = usePlaygroundState(({ reading }) => reading.state === 'failed')
  return (
    <div
      aria-busy={isBusy}
      className={`overflow-x-clip ${isDimmed ? 'faded' : ''} ${isFailed ? 'max-lg:hidden' : ''}`}
    >
      {children}
    </div>
  )
}

const LazyDialogs = loadWithTexts(async () => (await import('./late-parts')).LateParts, {
  isLate: true,
})

const Strip = loadWithTexts(async () => (await import('./watch/agent-strip')).AgentStrip, {
  isLate: true,
})

/** Loads where the page is beside an agent. */
function LazyAgentStrip() {
  const [isBeside, setBeside] = useState(false)
  useEffect(() => setBeside(isBesideAgent()), [])
  return isBeside && <Strip />
}

const LazyNotice = loadWithTexts(async () => (await import('./shell/notice-item')).NoticeWithAction)

/** The part of the page below the first figures. */
const LazyWorkbench = loadWithTexts(async () => (await import('./workbench')).Workbench, {
  Waiting: Placeholder,
  isLate: true,
})

/** The edges of the policy and the two panes; as high as what replaces it, so that nothing below it moves. */
function Placeholder() {
  const pane = (
    <div className="flex-1 border-line border-r max-lg:hidden">
      <div className="h-10 border-b" />
    </div>
  )
  return (
    <main className="flex min-h-[80dvh] flex-1 lg:min-h-0">
      <div className="w-80 shrink-0 border-line border-r max-lg:hidden" />
      {pane}
      {pane}
    </main>
  )
}

const Picker = loadWithTexts(
  async () => (await import('./conversations/conversation-picker')).ConversationPicker,
)

const Comparison = loadWithTexts(
  async () => (await import('./compare/comparison-strip')).ComparisonStrip,
)

/** Loads when two policies are first compared. */
function LazyComparisonStrip() {
  return (
    usePlaygroundState((state) => state.pinned !== undefined && !isTrying(state)) && <Comparison />
  )
}

/** Chooses the conversation to show; loads if the document has several. */
function LazyConversationPicker() {
  const count = usePlaygroundState((state) => state.read?.model.conversations.length ?? 0)
  return count > 1 && <Picker />
}
