'use client'

import { ChevronDown, Download, Printer } from 'lucide-react'
import { useLocale, useTranslations } from 'use-intl'
import { saveBlob } from '@/components/save-file'
import { alternativesCsv, requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { reportHtml, reportSvg } from '@/lib/core/report/report-html'
import { reportMarkdown } from '@/lib/core/report/report-markdown'
import { usePlayground } from '../../playground-context'
import { copyFigures, figuresUrl } from '../../share/figures-url'
import { Button } from '../../ui/button'
import { CheckboxField } from '../../ui/checkbox-field'
import { Menu, MenuItem } from '../../ui/menu'
import { writeReport } from './report/write-report'
import { useReportTexts } from './use-report-texts'

export interface ReportButtonsProps {
  /** Creates the report when called; undefined while values are still computed. */
  readonly factsOf: () => ReportFacts | undefined
  readonly isReady: boolean
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
}

/** Saves or prints the report, as HTML and in other formats. */
export function ReportButtons({ factsOf, isReady, hasNames, onNames }: ReportButtonsProps) {
  const t = useTranslations('drawer.report')
  const { store, actions } = usePlayground()
  const texts = useReportTexts()
  const language = useLocale()

  const withFacts = (give: (facts: ReportFacts) => string | undefined) => () => {
    const facts = factsOf()
    const name = facts && give(facts)
    if (name !== undefined) actions.notify('downloaded', { name })
  }
  const pageOf = (facts: ReportFacts) => writeReport(texts, facts, language)
  const saving = (name: string, type: string, write: (facts: ReportFacts) => string) =>
    withFacts((facts) => {
      saveText(name, write(facts), type)
      return name
    })
  const print = withFacts((facts) => {
    const html = reportHtml(pageOf(facts))
    // If the browser blocks the page, save the report instead.
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

  const copyLink = withFacts((facts) => {
    void copyFigures(actions, figuresUrl(store.getState(), facts), hasNames)
    return undefined
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
        <MenuItem onSelect={saving(`${t('requestsName')}.csv`, 'text/csv', requestsCsv)}>
          {t('requestsCsv')}
        </MenuItem>
        <MenuItem
          onSelect={saving(`${t('strategiesName')}.csv`, 'text/csv', ({ alternatives }) =>
            alternativesCsv(alternatives),
          )}
        >
          {t('alternativesCsv')}
        </MenuItem>
        <MenuItem
          onSelect={saving(`${t('chartName')}.svg`, 'image/svg+xml', (facts) =>
            reportSvg(pageOf(facts).chart),
          )}
        >
          {t('svg')}
        </MenuItem>
        <MenuItem onSelect={png}>{t('png')}</MenuItem>
        <MenuItem onSelect={copyLink}>{t('figuresLink')}</MenuItem>
      </Menu>
      <CheckboxField label={t('names')} isChecked={hasNames} onChange={onNames} />
    </section>
  )
}

function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Pixels of the image per pixel of the drawing: sharp on any screen and on paper. */
const PICTURE_SCALE = 3

/** Saves an SVG as a PNG image, rendered by the browser. */
async function savePicture(name: string, svg: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * PICTURE_SCALE
    canvas.height = image.naturalHeight * PICTURE_SCALE
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob === null) throw new RangeError('The browser made no picture of the chart.')
    saveBlob(name, blob)
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Opens the report in a new page and prints it. Returns false if the browser blocks the page. */
function printPage(html: string): boolean {
  const address = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  const opened = open(address)
  if (opened === null) return false
  opened.addEventListener('load', () => opened.print())
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return true
}
