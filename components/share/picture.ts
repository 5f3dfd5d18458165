/** The instrument as a picture of 1200 by 630 pixels, the size that networks show; nothing of the transcript is in it. */
import { escapeMarkup } from '@/lib/core/report/escape-text'
import type { Playground } from '@/lib/state/playground'
import { saveFile } from '../save-file'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 60
/** Where each drawing of the timeline is placed, by its `data-picture`. */
const PLACES = { arcs: [232, 96], bars: [328, 176], curve: [512, 56] } as const
const STYLES = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray'],
  ...['opacity', 'vector-effect', 'clip-path'],
]

interface PictureTexts {
  readonly title: string
  /** The one number, and what it is of. */
  readonly figure: string
  readonly tone: 'good' | 'warn' | 'ink'
  readonly explanation: string
  readonly settings: string
}

/** The picture as SVG, in the colours of the page; undefined if the timeline is not drawn. */
export function pictureOf({ title, figure, tone, explanation, settings }: PictureTexts) {
  const drawings = Object.entries(PLACES).map(([name, [y, height]]) => {
    const drawn = document.querySelector<SVGElement>(`svg[data-picture="${name}"]`)
    return drawn === null ? undefined : placed(drawn, y, height)
  })
  if (drawings[1] === undefined) return undefined
  const text = (y: number, size: number, content: string, more = '') =>
    `<text x="${MARGIN}" y="${y}" font-size="${size}" ${more}>${escapeMarkup(content)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, sans-serif" fill="${colourOf('ink')}"><rect width="100%" height="100%" fill="${colourOf('paper')}"/>${[
    text(72, 26, title, 'fill-opacity="0.6"'),
    text(160, 84, figure, `font-weight="600" fill="${colourOf(tone)}"`),
    text(204, 26, explanation),
    ...drawings.map((drawing) => drawing ?? ''),
    text(606, 22, settings, 'fill-opacity="0.6"'),
  ].join('')}</svg>`
}

/** A colour of `globals.css` in numbers: in forced colours it is a name, which a picture reads otherwise than the page. */
export function colourOf(name: string): string {
  const probe = document.createElement('span')
  probe.style.cssText = `color: var(--${name}); forced-color-adjust: none`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** A copy of a drawing of the page with its styles, which a picture does not have. */
function placed(drawn: SVGElement, y: number, height: number): string {
  const copy = drawn.cloneNode(true) as SVGElement
  const originals = [drawn, ...drawn.querySelectorAll('*')]
  for (const [at, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(originals[at] as Element)
    element.removeAttribute('class')
    for (const name of STYLES) {
      const value = style.getPropertyValue(name)
      if (at > 0 && value !== '' && !element.hasAttribute(name)) element.setAttribute(name, value)
    }
  }
  const place = { x: MARGIN, y, width: WIDTH - 2 * MARGIN, height, preserveAspectRatio: 'none' }
  for (const [name, value] of Object.entries({ ...place, fill: 'none' }))
    copy.setAttribute(name, `${value}`)
  return new XMLSerializer().serializeToString(copy)
}

/** Copies a picture; saves it where the browser copies none. */
export async function copyPicture(
  actions: Pick<Playground['actions'], 'notify'>,
  svg: string,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<void> {
  const png = pngOf(svg)
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    actions.notify('copied_export', { name })
  } catch {
    saveFile(actions, file, [await png], 'image/png')
  }
}

/** An SVG as a PNG image, rendered by the browser; `scale` is pixels of the image per pixel of the drawing. */
export async function pngOf(svg: string, scale = 1): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth * scale
    canvas.height = image.naturalHeight * scale
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (blob === null) throw new RangeError('The browser made no picture.')
    return blob
  } finally {
    URL.revokeObjectURL(address)
  }
}
