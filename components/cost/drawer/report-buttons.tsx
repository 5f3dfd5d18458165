import { ChevronDown, Download, Printer } from 'lucide-react'
import { useLocale } from 'use-intl'
import { saveBlob, saveFile } from '@/components/save-file'
import { alternativesCsv, requestsCsv } from '@/lib/core/report/report-csv'
import type { ReportFacts } from '@/lib/core/report/report-facts'
import { type ReportPage, reportMarkdown } from '@/lib/core/report/report-page'
import { useView } from '../../playground-context'
import { copyFigures, figuresUrl } from '../../share/figures-url'
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
  /** With the page and the code of its files, which loads with the first one. */
  const withFile = (use: (page: ReportPage, file: typeof import('./report/report-file')) => void) =>
    withFacts(async (facts) => use(pageOf(facts), await import('./report/report-file')))
  const saveHtml = (html: string) => saveFile(actions, `${fileName}.html`, [html], 'text/html')

  return (
    <section aria-label={t('label')} className="flex flex-wrap items-center gap-2 2xl:shrink-0">
      <Button
        size="small"
        icon={Download}
        title={t('saveTip')}
        disabled={!isReady}
        onClick={withFile((page, { reportHtml }) => saveHtml(reportHtml(page)))}
      >
        {t('save')}
      </Button>
      <Button
        size="small"
        icon={Printer}
        disabled={!isReady}
        onClick={withFile((page, { reportHtml }) => {
          const html = reportHtml(page)
          // If the browser blocks the page, save the report instead.
          if (!printPage(html)) saveHtml(html)
        })}
      >
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
          onSelect={withFacts((facts) => {
            const text = reportMarkdown(pageOf(facts))
            saveFile(actions, `${fileName}.md`, [text], 'text/markdown')
          })}
        >
          {t('markdown')}
        </MenuItem>
        {tables.map(([label, name, write]) => (
          <MenuItem
            key={name}
            onSelect={withFacts((facts) =>
              saveFile(actions, `${name}.csv`, [write(facts)], 'text/csv'),
            )}
          >
            {label}
          </MenuItem>
        ))}
        <MenuItem
          onSelect={withFile(({ chart }, { reportSvg }) =>
            saveFile(actions, `${chartName}.svg`, [reportSvg(chart)], 'image/svg+xml'),
          )}
        >
          {t('svg')}
        </MenuItem>
        <MenuItem
          onSelect={withFile(({ chart }, { reportSvg }) => {
            const name = `${chartName}.png`
            void savePicture(name, reportSvg(chart))
            actions.notify('downloaded', { name })
          })}
        >
          {t('png')}
        </MenuItem>
        {more !== undefined && <MenuItem onSelect={withFacts(more[1])}>{more[0]}</MenuItem>}
      </Menu>
      <CheckboxField label={props.namesLabel} isChecked={props.hasNames} onChange={props.onNames} />
    </section>
  )
}

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
        [
          t('alternativesCsv'),
          t('strategiesName'),
          ({ alternatives }) => alternativesCsv(alternatives),
        ],
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
