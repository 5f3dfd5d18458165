import { useSearchParams } from 'next/navigation'
import { type ComponentType, useState } from 'react'
import { isBlank } from '@/lib/state/document/selectors'
import { loopReportOf } from '@/lib/state/loop/found-repeats'
import { repairOf } from '@/lib/state/repair/document-repair'
import { loadWithTexts } from '../load-with-texts'
import { OlderTextNote, useIsOlder } from '../panes/older-text'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { PageLink, TOOLS, type Tool } from '../shell/page-link'
import { useFocusOnArrival } from '../shell/skip-links'
import { usePageTitle } from '../use-page-title'
import { Checks } from './checks'
import { ErrorRules } from './error-rules/error-rules'
import { useFound } from './findings'
import { RepeatedCalls } from './repeated-calls'

const NextRequest = loadWithTexts(
  async () => (await import('./next-request/next-request')).NextRequest,
)
const Simulator = loadWithTexts(
  async () => (await import('./simulator/simulator-view')).SimulatorView,
)
const Repairs = loadWithTexts(async () => (await import('../repair/repairs')).Repairs)

const VIEWS: Readonly<Record<Tool, ComponentType>> = {
  repeated_calls: RepeatedCalls,
  checks: Checks,
  arguments: Repairs,
  errors: ErrorRules,
  next_request: NextRequest,
  simulator: Simulator,
}

/** The tool that the address names; without one, the first that found something in the document. */
export function Tools() {
  const { t } = useView('loop')
  const title = useView('shell').t('page.tools')
  usePageTitle(title)
  useFocusOnArrival()
  const asked = useSearchParams().get('tool')
  const chosen = useChosenTool()
  const isOlder = useIsOlder()
  const tool = TOOLS.find((one) => one === asked) ?? chosen
  const View = tool && VIEWS[tool]
  return (
    <main className="flex outline-none min-h-0 flex-1 flex-col gap-3 pt-3">
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2 px-6 max-lg:px-4">
        <h2 className="font-semibold text-lg">{title}</h2>
        <nav aria-label={title} className="flex flex-wrap gap-1">
          {TOOLS.map((one) => (
            <PageLink
              key={one}
              to={`/tools?tool=${one}`}
              isHere={one === tool}
              className="rounded-md px-2.5 py-1 text-soft text-sm hover:text-ink aria-[current]:bg-ink aria-[current]:font-medium aria-[current]:text-paper aria-[current]:forced-color-adjust-none pointer-coarse:py-3"
            >
              {t(`part.${one}`)}
            </PageLink>
          ))}
        </nav>
      </div>
      <OlderTextNote />
      {View && (
        <section
          aria-label={t(`part.${tool}`)}
          className={`flex min-h-0 flex-1 flex-col px-6 max-lg:px-4 ${isOlder ? 'faded' : ''}`}
        >
          <View />
        </section>
      )}
    </main>
  )
}

/** The first tool that found something, chosen once per document, when all have looked; undefined before the first choice. */
function useChosenTool(): Tool | undefined {
  const first = useFound()[0]?.[0] ?? 'repeated_calls'
  const document = useDeferredState((state) =>
    loopReportOf(state) && repairOf(state) ? state.read?.source.document : undefined,
  )
  const isNoneOpen = usePlaygroundState(
    (state) => state.reading.state === 'failed' || isBlank(state),
  )
  const [chosen, choose] = useState<{ readonly document: number; readonly tool: Tool }>()
  if (document !== undefined && chosen?.document !== document) choose({ document, tool: first })
  return chosen?.tool ?? (isNoneOpen ? 'repeated_calls' : undefined)
}
