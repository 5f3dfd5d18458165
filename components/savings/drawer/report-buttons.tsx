'use client'

import { ChevronDown, Download, Printer } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { requestsCsv, strategiesCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { reportHtml, reportSvg } from '@/lib/core/report/report-html'
import { reportMarkdown } from '@/lib/core/report/report-markdown'
import { usePlayground } from '../../playground-context'
import { Button } from '../../ui/button'
import { CheckboxField } from '../../ui/checkbox-field'
import { Menu, MenuItem } from '../../ui/menu'
import { writeReport } from './report/write-report'
import { printPage, savePicture, saveText } from './save-report'
import { useWriting } from './use-writing'

export interface ReportButtonsProps {
  /** Taken at the moment of a click; undefined while something is still worked out. */
  readonly factsOf: () => ReportFacts | undefined
  readonly isReady: boolean
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
}

/** The report as a page, on paper and in other formats. */
export function ReportButtons({ factsOf, isReady, hasNames, onNames }: ReportButtonsProps) {
  const t = useTranslations('drawer.report')
  const { actions } = usePlayground()
  const writing = useWriting()
  const language = useLocale()

  const withFacts = (give: (facts: ReportFacts) => string | undefined) => () => {
    const facts = factsOf()
    const name = facts && give(facts)
    if (name !== undefined) actions.notify('downloaded', { name })
  }
  const pageOf = (facts: ReportFacts) => writeReport(writing, facts, language)
  const saving = (name: string, type: string, write: (facts: ReportFacts) => string) =>
    withFacts((facts) => {
      saveText(name, write(facts), type)
      return name
    })
  const print = withFacts((facts) => {
    const html = reportHtml(pageOf(facts))
    // A browser that opens no page can still save one.
    if (printPage(html)) return undefined
    const name = `${t('fileName')}.html`
    saveText(name, html, 'text/html')
    return name
  })
  const png = withFacts((facts) => {
    const name = `${t('chartName')}.png`
    void savePicture(name, reportSvg(pageOf(facts).chart))
    return name
  })

  return (
    <section aria-label={t('label')} className="flex flex-wrap items-center gap-2 lg:shrink-0">
      <Button
        size="small"
        title={t('saveTip')}
        disabled={!isReady}
        onClick={saving(`${t('fileName')}.html`, 'text/html', (facts) => reportHtml(pageOf(facts)))}
      >
        <Download className="size-3.5" aria-hidden />
        {t('save')}
      </Button>
      <Button size="small" disabled={!isReady} onClick={print}>
        <Printer className="size-3.5" aria-hidden />
        {t('print')}
      </Button>
      <Menu
        side="top"
        align="end"
        trigger={
          <Button size="small" disabled={!isReady}>
            {t('more')}
            <ChevronDown className="size-3.5" aria-hidden />
          </Button>
        }
      >
        <MenuItem
          onSelect={saving(`${t('fileName')}.md`, 'text/markdown', (facts) =>
            reportMarkdown(pageOf(facts)),
          )}
        >
          {t('markdown')}
        </MenuItem>
        <MenuItem
          onSelect={saving(`${t('requestsName')}.csv`, 'text/csv', ({ replayed }) =>
            requestsCsv(replayed),
          )}
        >
          {t('requestsCsv')}
        </MenuItem>
        <MenuItem
          onSelect={saving(`${t('strategiesName')}.csv`, 'text/csv', ({ strategies }) =>
            strategiesCsv(strategies),
          )}
        >
          {t('strategiesCsv')}
        </MenuItem>
        <MenuItem
          onSelect={saving(`${t('chartName')}.svg`, 'image/svg+xml', (facts) =>
            reportSvg(pageOf(facts).chart),
          )}
        >
          {t('svg')}
        </MenuItem>
        <MenuItem onSelect={png}>{t('png')}</MenuItem>
      </Menu>
      <CheckboxField label={t('names')} isChecked={hasNames} onChange={onNames} />
    </section>
  )
}
