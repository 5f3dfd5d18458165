'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { FIRST_ORDER, NO_FILTER, type RowFilter } from '@/lib/core/results/result-rows'
import { resultRowsOf } from '@/lib/state/document/result-table'
import { BottomDrawer } from '../drawer/bottom-drawer'
import { useLateState } from '../playground-context'
import { Results } from './results'

/** The drawer with the table of all results. Filter and order stay while it is closed. */
export function ResultsDrawer() {
  const t = useTranslations('results')
  const [order, setOrder] = useState(FIRST_ORDER)
  // A filter belongs to one conversation: another one has other tools and sizes.
  const shown = useLateState(({ read, conversation }) => `${read?.source.document} ${conversation}`)
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
  const rows = useLateState(resultRowsOf)
  const hasDocument = useLateState(({ read }) => read !== undefined)
  const isEarlier = useLateState(({ request }) => request !== undefined)
  if (rows === undefined) return <Note>{t(hasDocument ? 'working' : 'empty')}</Note>
  if (rows.length === 0) return <Note>{t(isEarlier ? 'noneYet' : 'none')}</Note>
  return <Results rows={rows} {...props} />
}

function Note({ children }: { readonly children: string }) {
  return <p className="max-w-prose text-soft">{children}</p>
}
