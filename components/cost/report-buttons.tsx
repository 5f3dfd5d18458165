import { Download, Printer } from 'lucide-react'
import { useLocale } from 'use-intl'
import { saveFile } from '@/components/save-file'
import { requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { reportMarkdown } from '@/lib/core/report/report-page'
import { useView } from '../playground-context'
import { copyFigures, figuresUrl } from '../share/figures-url'
import { pngOf } from '../share/picture'
import { Button } from '../ui/button'
import { ChoicesMenu } from '../ui/menu'
import { CheckboxField } from '../ui/switch-field'
import { writeReport } from './report/write-report'
import { useReportTexts } from './use-report-texts'

type Written = string | Blob

/** Saves or prints the report on the session shown, as HTML and in other formats. */
export function SessionReportButtons(props: {
  /** Gives the facts when called; undefined while values are still computed. */
  readonly factsOf: () => ReportFacts | undefined
  readonly isReady: boolean
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
}) {
  const { factsOf, isReady, hasNames, onNames } = props
  const { t, store, actions } = useView('sessionCost.report')
  const texts = useReportTexts()
  const language = useLocale()
  const pageOf = (facts: ReportFacts) => writeReport(texts, facts, language)
  const withFacts = (use: (facts: ReportFacts) => void) => () => {
    const facts = factsOf()
    if (facts !== undefined) use(facts)
  }
  const save = (
    name: string,
    type: string,
    write: (facts: ReportFacts) => Written | Promise<Written>,
  ) => withFacts(async (facts) => saveFile(actions, name, [await write(facts)], type))
  // The code of these files loads with the first one.
  const htmlOf = async (facts: ReportFacts) => {
    const page = pageOf(facts)
    return (await import('./report/report-file')).reportHtml(page)
  }
  const svgOf = async (facts: ReportFacts) => {
    const { chart } = pageOf(facts)
    return (await import('./report/report-file')).reportSvg(chart)
  }
  const pngFrom = async (facts: ReportFacts) => pngOf(await svgOf(facts), PICTURE_SCALE)
  const htmlName = `${t('fileName')}.html`
  const print = async (facts: ReportFacts) => {
    const html = await htmlOf(facts)
    // If the browser blocks the page, save the report instead.
    if (!printPage(html)) saveFile(actions, htmlName, [html], 'text/html')
  }
  const markdownOf = (facts: ReportFacts) => reportMarkdown(pageOf(facts))
  const copyLink = (facts: ReportFacts) =>
    void copyFigures(actions, figuresUrl(store.getState(), facts), hasNames)
  const choices = [
    [t('markdown'), save(`${t('fileName')}.md`, 'text/markdown', markdownOf)],
    [t('requestsCsv'), save(`${t('requestsName')}.csv`, 'text/csv', requestsCsv)],
    [t('svg'), save(`${t('chartName')}.svg`, 'image/svg+xml', svgOf)],
    [t('png'), save(`${t('chartName')}.png`, 'image/png', pngFrom)],
    [t('figuresLink'), withFacts(copyLink)],
  ] as const

  return (
    <section aria-label={t('label')} className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        icon={Download}
        title={t('saveTip')}
        disabled={!isReady}
        onClick={save(htmlName, 'text/html', htmlOf)}
      >
        {t('save')}
      </Button>
      <Button size="small" icon={Printer} disabled={!isReady} onClick={withFacts(print)}>
        {t('print')}
      </Button>
      <ChoicesMenu label={t('more')} isDisabled={!isReady} choices={choices} />
      <CheckboxField label={t('names')} isChecked={hasNames} onChange={onNames} />
    </section>
  )
}

/** Pixels of the image per pixel of the drawing: sharp on any screen and on paper. */
const PICTURE_SCALE = 3

/** Opens the report in a new page and prints it. Returns false if the browser blocks the page. */
function printPage(html: string): boolean {
  const address = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  const opened = open(address)
  if (opened === null) return false
  opened.addEventListener('load', () => opened.print())
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return true
}
