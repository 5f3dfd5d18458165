'use client'

import './report.css'
import { Download, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type ReadFigures, readFiguresLink } from '@/lib/core/share/link/figures-link'
import { ReportDocument } from '../cost/report/report-document'
import { writeReport } from '../cost/report/write-report'
import { useAllTexts, useFigureFormat, useWords } from '../language-provider'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { useWindowEvents } from '../use-events'
import { usePageTitle } from '../use-page-title'

const PLAYGROUND = `${process.env.NEXT_PUBLIC_BASE_PATH ?? ''}/`

/** The figures of a link: the sender's verdict, charts and report. Nothing of a transcript is in it. */
export function SharedFigures() {
  const t = useTranslations('figures')
  usePageTitle(t('title'))
  const [read, setRead] = useState<ReadFigures>()
  const hasTexts = useAllTexts(true)
  const readAddress = () => setRead(readFiguresLink(location.hash))
  useEffect(readAddress, [])
  useWindowEvents({ hashchange: readAddress })
  const settings = read?.state === 'read' ? read.settings : undefined
  return (
    <div className="mx-auto flex min-h-dvh max-w-[110rem] flex-col gap-6 px-5 py-4 sm:px-10 sm:py-6 print:p-0">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:flex-nowrap print:hidden">
        <p>
          <span className="font-semibold text-lg">{t('title')}</span>{' '}
          {settings !== undefined && <span className="text-soft">{t('sender')}</span>}
        </p>
        <Playground settings={settings} className={settings === undefined ? '' : 'max-sm:hidden'} />
      </header>
      {read !== undefined &&
        hasTexts &&
        (read.state === 'read' ? (
          <Report
            facts={read.facts}
            action={<Playground settings={settings} className="text-center sm:hidden" />}
          />
        ) : (
          <main>
            <h1 className="max-w-[60ch] text-lg">{t(read.state)}</h1>
          </main>
        ))}
    </div>
  )
}

function Playground(props: {
  /** The fragment of the settings to open; undefined for none. */
  readonly settings: string | undefined
  readonly className: string
}) {
  const { settings, className } = props
  const t = useTranslations('figures')
  return (
    <a
      href={settings === undefined ? PLAYGROUND : `${PLAYGROUND}#${settings}`}
      className={`shrink-0 rounded-md bg-ink px-3 py-2 font-medium text-paper print:hidden ${className}`}
    >
      {t(settings === undefined ? 'open' : 'try')}
    </a>
  )
}

function Report(props: {
  readonly facts: Extract<ReadFigures, { state: 'read' }>['facts']
  readonly action: ReactNode
}) {
  const { facts, action } = props
  const t = useTranslations('figures')
  const report = useTranslations('report')
  const format = useFigureFormat()
  const language = useLocale()
  const words = useWords()
  const page = useMemo(() => {
    const rule = facts.cache.origin === 'unknown' ? 'unknown' : 'known'
    return writeReport({ t: report, format, words, rule }, facts, language)
  }, [facts, report, format, words, language])
  const save = async () => {
    const { reportHtml } = await import('../cost/report/report-file')
    saveBlob(`${t('fileName')}.html`, new Blob([reportHtml(page)], { type: 'text/html' }))
  }
  return (
    <ReportDocument
      page={page}
      belowFigures={action}
      belowCharts={
        <div className="flex gap-2 print:hidden">
          <Button size="small" onClick={() => void save()} icon={Download}>
            {t('save')}
          </Button>
          <Button size="small" onClick={() => print()} icon={Printer}>
            {t('print')}
          </Button>
        </div>
      }
    />
  )
}
