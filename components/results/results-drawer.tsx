'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  FIRST_ORDER,
  NO_FILTER,
  type ResultRow,
  type RowFilter,
} from '@/lib/core/results/result-rows'
import { resultRowsOf, toolTotalsOf } from '@/lib/state/document/result-table'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { DrawerSentence } from '../drawer/drawer-sentence'
import { useDeferredState } from '../playground-context'
import { useFigureFormat } from '../use-figure-format'
import { Results } from './results'

/** The drawer with the table of all results. Filter and order stay while it is closed. */
export function ResultsDrawer() {
  const t = useTranslations('results')
  const [order, setOrder] = useState(FIRST_ORDER)
  // A filter belongs to one conversation: another one has other tools and sizes.
  const shown = useDeferredState(
    ({ read, conversation }) => `${read?.source.document} ${conversation}`,
  )
  const [choice, setChoice] = useState({ shown, filter: NO_FILTER })
  return (
    <BottomDrawer drawer="results" title={t('title')} closeLabel={t('close')} isFixed>
      <ResultsOfRequest
        key={shown}
        filter={choice.shown === shown ? choice.filter : NO_FILTER}
        onFilter={(filter) => setChoice({ shown, filter })}
        order={order}
        onOrder={setOrder}
      />
    </BottomDrawer>
  )
}

interface ResultsOfRequestProps {
  readonly filter: RowFilter
  readonly onFilter: (filter: RowFilter) => void
  readonly order: typeof FIRST_ORDER
  readonly onOrder: (order: typeof FIRST_ORDER) => void
}

function ResultsOfRequest(props: ResultsOfRequestProps) {
  const t = useTranslations('results')
  const rows = useDeferredState(resultRowsOf)
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const isEarlier = useDeferredState(({ request }) => request !== undefined)
  if (rows === undefined) return <Note>{t(hasDocument ? 'working' : 'empty')}</Note>
  if (rows.length === 0) return <Note>{t(isEarlier ? 'noneYet' : 'none')}</Note>
  return (
    <>
      <ResultsSentence rows={rows} />
      <Results rows={rows} {...props} />
    </>
  )
}

/** How many are masked, and the tool with the most tokens. */
function ResultsSentence({ rows }: { readonly rows: readonly ResultRow[] }) {
  const t = useTranslations('results')
  const format = useFigureFormat()
  const totals = toolTotalsOf(rows)
  const [most] = totals
  return (
    <DrawerSentence>
      {t('sentence', {
        masked: totals.reduce((sum, { masked }) => sum + masked, 0),
        all: rows.length,
        tools: most === undefined || most.share === 0 ? 1 : totals.length,
        tool: most?.tool ?? t('unknownTool'),
        count: most?.results ?? 0,
        share: format.share(most?.share ?? 0),
      })}
    </DrawerSentence>
  )
}

function Note({ children }: { readonly children: string }) {
  return <p className="max-w-prose text-soft">{children}</p>
}
