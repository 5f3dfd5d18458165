import { changedSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { escapeMarkup } from '@/lib/core/report/escape-text'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { type Comparison, spent } from '@/lib/state/costs/mechanisms'
import { useWords } from '../language-provider'
import { usePlaygroundState, useView } from '../playground-context'
import { saveFile } from '../save-file'
import { colourOf, copyPicture, pngOf } from '../share/picture'
import { ChoicesMenu } from '../ui/menu'
import { useAdvice } from './mechanism-table'

/** The table as a picture: what to do, and what each mechanism costs at its cheapest settings and forgets. */
export function PictureMenu(props: {
  readonly comparison: Comparison
  readonly format: string | undefined
}) {
  const { comparison, format } = props
  const { t, actions } = useView('mechanisms.picture')
  const draw = usePicture(comparison, useAdvice(comparison, format)[0] ?? '')
  const name = t('name')
  const choices = [
    [t('copy'), () => copyPicture(actions, draw(), { name: t('label'), file: `${name}.png` })],
    [t('svg'), () => saveFile(actions, `${name}.svg`, [draw()], 'image/svg+xml')],
    [t('png'), async () => saveFile(actions, `${name}.png`, [await pngOf(draw(), 2)], 'image/png')],
  ] as const
  return <ChoicesMenu label={t('label')} isDisabled={!comparison.areAllKnown} choices={choices} />
}

const WIDTH = 1200
const MARGIN = 60
const ROW = 28
const TOP = 176
/** About as many letters as fit beside each other. */
const LINE = 100
/** Where the bars begin that cost as much as before, and the width of one that costs nothing or twice as much. */
const AXIS = 860
const BAR = 110

/** Draws the picture in the colours of the page. It has no text of the transcript. */
function usePicture(comparison: Comparison, advice: string): () => string {
  const { t, format } = useView('mechanisms')
  const words = useWords()
  const model = usePlaygroundState((state) => costTermsOf(state)?.model.name) ?? ''
  const window = usePlaygroundState(({ policy }) => policy.windowTurns)
  return () => {
    const { unchanged, rows, requests, limit } = comparison
    const ink = colourOf('ink')
    const text = (x: number, y: number, content: string, more = '') =>
      `<text x="${x}" y="${y}" ${more}>${escapeMarkup(content)}</text>`
    const end = 'text-anchor="end"'
    const small = 'font-size="14" fill-opacity="0.6"'
    const drawn = rows.map(({ id, measure, best = measure }, at) => {
      const y = TOP + at * ROW
      const [from = 0, to = 0] = [unchanged, best].map(spent)
      const share = Math.max(-1, Math.min(1, from === 0 ? 0 : to / from - 1))
      const tone = colourOf(share < 0 ? 'good' : share > 0 ? 'warn' : 'ink')
      const { label = id } = MECHANISM_FACTS[id] ?? {}
      const settings = changedSettings(best.settings, measure.settings)
      const width = Math.abs(share) * BAR
      return [
        `<text x="${MARGIN}" y="${y}">${escapeMarkup(words({ name: label }))} <tspan font-size="13" fill-opacity="0.6">${escapeMarkup(settings)}</tspan></text>`,
        `<rect x="${share < 0 ? AXIS - width : AXIS}" y="${y - 13}" width="${width}" height="15" fill="${tone}"/>`,
        text(AXIS + 190, y, format.change(from, to), `${end} font-weight="600" fill="${tone}"`),
        text(WIDTH - MARGIN, y, format.number(best.forgotten), end),
      ].join('')
    })
    const below = TOP + rows.length * ROW + 8
    const height = below + ROW + 40
    const said = advice.match(new RegExp(`.{1,${LINE}}(?:\\s|$)`, 'g')) ?? []
    const note = t('picture.note', { requests, model })
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="18" fill="${ink}"><rect width="100%" height="100%" fill="${colourOf('paper')}"/>${[
      text(MARGIN, 58, t('picture.title'), 'font-size="30" font-weight="600"'),
      ...said.map((line, at) => text(MARGIN, 88 + at * 24, line)),
      text(AXIS + 190, TOP - 30, t('columns.cost'), `${end} ${small}`),
      text(WIDTH - MARGIN, TOP - 30, t('columns.forgotten'), `${end} ${small}`),
      `<path d="M${AXIS} ${TOP - 20}V${below - 20}" stroke="${ink}" stroke-opacity="0.3"/>`,
      ...drawn,
      ...(limit === undefined
        ? []
        : [
            text(MARGIN, below, t('limit', { window }), 'fill-opacity="0.6"'),
            text(AXIS + 190, below, format.change(unchanged.cost, limit), end),
          ]),
      text(MARGIN, height - 18, note, small),
    ].join('')}</svg>`
  }
}
