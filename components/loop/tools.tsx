import { useSearchParams } from 'next/navigation'
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { OlderTextNote, useIsOlder } from '../panes/older-text'
import { PageLink, TOOLS, type Tool } from '../shell/page-link'
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

/** The tool that the address names; without one, the first that found something. */
export function Tools() {
  const t = useTranslations('loop')
  const title = useTranslations('shell')('page.tools')
  usePageTitle(title)
  const asked = useSearchParams().get('tool')
  const found = useFound()
  const isOlder = useIsOlder()
  const tool = TOOLS.find((one) => one === asked) ?? found[0]?.[0] ?? 'repeated_calls'
  const View = VIEWS[tool]
  return (
    <main className="flex min-h-0 flex-1 flex-col gap-3 pt-3">
      <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2 px-6 max-lg:px-4">
        <h2 className="font-semibold text-lg">{title}</h2>
        <nav aria-label={title} className="flex flex-wrap gap-1">
          {TOOLS.map((one) => (
            <PageLink
              key={one}
              to={`/tools?tool=${one}`}
              isHere={one === tool}
              className="rounded-md px-2.5 py-1 text-soft text-sm hover:text-ink aria-[current]:bg-ink aria-[current]:font-medium aria-[current]:text-paper pointer-coarse:py-3"
            >
              {t(`part.${one}`)}
            </PageLink>
          ))}
        </nav>
      </div>
      <OlderTextNote />
      <div
        id="tool"
        className={`flex min-h-0 flex-1 flex-col px-6 max-lg:px-4 ${isOlder ? 'faded' : ''}`}
      >
        <View />
      </div>
    </main>
  )
}
