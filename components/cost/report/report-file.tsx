/** Writes reports as files. It is loaded when the first one is saved, since React's renderer is large. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReportChart, ReportPage } from '@/lib/core/report/report-page'
import { ChartPicture, PAPER } from './charts'
import { REPORT_STYLE, ReportDocument } from './report-document'

/** Forbids loading and scripts, in case a name in the report contains markup. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

/** One HTML file. It has no scripts, loads nothing and prints on one A4 page. */
export function reportHtml(page: ReportPage): string {
  const html = renderToStaticMarkup(
    <html lang={page.language}>
      {/* biome-ignore lint/style/noHeadElement: this is a file of its own, not a page of Next */}
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={CONTENT_POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title}</title>
        <style>{REPORT_STYLE}</style>
      </head>
      <body>
        <ReportDocument page={page} />
      </body>
    </html>,
  )
  return `<!doctype html>\n${printable(html)}\n`
}

/** The charts of a report as an SVG file. Not every program that opens it knows variables. */
export function reportSvg(chart: ReportChart): string {
  const picture = <ChartPicture {...chart} width={720} height={168} />
  const markup = printable(renderToStaticMarkup(picture))
  return markup.replace(/var\(--(\w+)\)/g, (whole, name: string) => PAPER[name] ?? whole)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** Control characters, which XML forbids, become U+FFFD. */
function printable(markup: string): string {
  return markup.toWellFormed().replace(CONTROLS, '\ufffd')
}
