'use client'

import { ChevronDown, Download, Printer } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { saveBlob } from '@/components/save-file'
import { type ReportPage, reportMarkdown } from '@/lib/core/report/report-page'
import { usePlayground } from '../../playground-context'
import { Button } from '../../ui/button'
import { Menu, MenuItem } from '../../ui/menu'
import { CheckboxField } from '../../ui/switch-field'

interface ReportButtonsProps {
  /** Writes the report when called; undefined while values are still computed. */
  readonly pageOf: () => ReportPage | undefined
  /** Names of the files without their endings. */
  readonly fileName: string
  readonly chartName: string
  readonly tables: readonly ReportFile[]
  readonly isReady: boolean
  readonly namesLabel: string
  readonly hasNames: boolean
  readonly onNames: (hasNames: boolean) => void
  /** Further choices of the menu. */
  readonly more?: { readonly label: string; readonly onSelect: () => void }
}

/** A table of the report's numbers as CSV. */
interface ReportFile {
  readonly label: string
  readonly name: string
  readonly write: () => string | undefined
}

type ReportFiles = typeof import('./report/report-file')

/** Saves or prints a report, as HTML and in other formats. */
export function ReportButtons(props: ReportButtonsProps) {
  const { pageOf, fileName, chartName, tables, isReady, more } = props
  const t = useTranslations('drawer.report')
  const { actions } = usePlayground()

  const save = (name: string, type: string, text: string | undefined) => {
    if (text === undefined) return
    saveBlob(name, new Blob([text], { type }))
    actions.notify('downloaded', { name })
  }
  /** Writes the report with the code of its files, which loads with the first one. */
  const withFile = async (use: (page: ReportPage, file: ReportFiles) => void) => {
    const page = pageOf()
    if (page !== undefined) use(page, await import('./report/report-file'))
  }
  const saveHtml = () =>
    withFile((page, { reportHtml }) => save(`${fileName}.html`, 'text/html', reportHtml(page)))
  const print = () =>
    withFile((page, { reportHtml }) => {
      const html = reportHtml(page)
      // If the browser blocks the page, save the report instead.
      if (!printPage(html)) save(`${fileName}.html`, 'text/html', html)
    })
  const saveMarkdown = () => {
    const page = pageOf()
    save(`${fileName}.md`, 'text/markdown', page && reportMarkdown(page))
  }
  const saveSvg = () =>
    withFile(({ chart }, { reportSvg }) =>
      save(`${chartName}.svg`, 'image/svg+xml', reportSvg(chart)),
    )
  const savePng = () =>
    withFile(({ chart }, { reportSvg }) => {
      const name = `${chartName}.png`
      void savePicture(name, reportSvg(chart))
      actions.notify('downloaded', { name })
    })

  return (
    <section aria-label={t('label')} className="flex flex-wrap items-center gap-2 2xl:shrink-0">
      <Button size="small" title={t('saveTip')} disabled={!isReady} onClick={saveHtml}>
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
        <MenuItem onSelect={saveMarkdown}>{t('markdown')}</MenuItem>
        {tables.map(({ label, name, write }) => (
          <MenuItem key={name} onSelect={() => save(`${name}.csv`, 'text/csv', write())}>
            {label}
          </MenuItem>
        ))}
        <MenuItem onSelect={saveSvg}>{t('svg')}</MenuItem>
        <MenuItem onSelect={savePng}>{t('png')}</MenuItem>
        {more !== undefined && <MenuItem onSelect={more.onSelect}>{more.label}</MenuItem>}
      </Menu>
      <CheckboxField label={props.namesLabel} isChecked={props.hasNames} onChange={props.onNames} />
    </section>
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
