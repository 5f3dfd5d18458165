import { ChevronDown, Download, Printer } from 'lucide-react'
import { useLocale } from 'use-intl'
import { saveFile } from '@/components/save-file'
import { alternativesCsv, requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { type ReportPage, reportMarkdown } from '@/lib/core/report/report-page'
import { useView } from '../../playground-context'
import { copyFigures, figuresUrl } from '../../share/figures-url'
import { pngOf } from '../../share/picture'
import { Button } from '../../ui/button'
import { Menu, MenuItem } from '../../ui/menu'
import { CheckboxField } from '../../ui/switch-field'
import { writeReport } from './report/write-report'
import { useReportTexts } from './use-report-texts'

interface ReportButtonsProps<Facts> {
  /** Gives the facts when called; undefined while values are still computed. */
  readonly factsOf: () => Facts | undefined
  readonly pageOf: (facts: Facts) => ReportPage
  /** Names of the files without their endings. */
  readonly fileName: string
  readonly chartName: string
  /** Tables of the report's numbers as CSV. */
  readonly tables: readonly (readonly [
    label: string,
    name: string,
    write: (facts: Facts) => string,
  ])[]
  readonly isReady: boolean
  readonly namesLabel: string
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
  /** A further choice of the menu. */
  readonly more?: readonly [label: string, onSelect: (facts: Facts) => void]
}

/** Saves or prints a report, as HTML and in other formats. */
export function ReportButtons<Facts>(props: ReportButtonsProps<Facts>) {
  const { factsOf, pageOf, fileName, chartName, tables, isReady, more } = props
  const { t, actions } = useView('drawer.report')
  const withFacts = (use: (facts: Facts) => void) => () => {
    const facts = factsOf()
    if (facts !== undefined) use(facts)
  }
  const save = (name: string, type: string, write: (facts: Facts) => Written | Promise<Written>) =>
    withFacts(async (facts) => saveFile(actions, name, [await write(facts)], type))
  // The code of these files loads with the first one.
  const htmlOf = async (facts: Facts) => {
    const page = pageOf(facts)
    return (await import('./report/report-file')).reportHtml(page)
  }
  const svgOf = async (facts: Facts) => {
    const { chart } = pageOf(facts)
    return (await import('./report/report-file')).reportSvg(chart)
  }
  const htmlName = `${fileName}.html`
  const print = async (facts: Facts) => {
    const html = await htmlOf(facts)
    // If the browser blocks the page, save the report instead.
    if (!printPage(html)) saveFile(actions, htmlName, [html], 'text/html')
  }
  const choices: readonly (readonly [label: string, onSelect: () => void])[] = [
    [
      t('markdown'),
      save(`${fileName}.md`, 'text/markdown', (facts) => reportMarkdown(pageOf(facts))),
    ],
    ...tables.map(
      ([label, name, write]) => [label, save(`${name}.csv`, 'text/csv', write)] as const,
    ),
    [t('svg'), save(`${chartName}.svg`, 'image/svg+xml', svgOf)],
    [
      t('png'),
      save(`${chartName}.png`, 'image/png', async (facts) =>
        pngOf(await svgOf(facts), PICTURE_SCALE),
      ),
    ],
    ...(more === undefined ? [] : [[more[0], withFacts(more[1])] as const]),
  ]

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
      <Menu
        align="end"
        trigger={
          <Button size="small" disabled={!isReady}>
            {t('more')}
            <ChevronDown className="size-3.5" aria-hidden />
          </Button>
        }
      >
        {choices.map(([label, onSelect]) => (
          <MenuItem key={label} onSelect={onSelect}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <CheckboxField label={props.namesLabel} isChecked={props.hasNames} onChange={props.onNames} />
    </section>
  )
}

type Written = string | Blob

/** The buttons of the report on the session shown. */
export function SessionReportButtons(
  props: Pick<ReportButtonsProps<ReportFacts>, 'factsOf' | 'isReady' | 'hasNames' | 'onNames'>,
) {
  const { t, store, actions } = useView('drawer.report')
  const texts = useReportTexts()
  const language = useLocale()
  return (
    <ReportButtons
      {...props}
      pageOf={(facts) => writeReport(texts, facts, language)}
      fileName={t('fileName')}
      chartName={t('chartName')}
      namesLabel={t('names')}
      tables={[
        [t('requestsCsv'), t('requestsName'), requestsCsv],
        [t('alternativesCsv'), t('strategiesName'), (facts) => alternativesCsv(facts.alternatives)],
      ]}
      more={[
        t('figuresLink'),
        (facts) => void copyFigures(actions, figuresUrl(store.getState(), facts), props.hasNames),
      ]}
    />
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
