/** Takes a report out of the page: as a file, as a picture, on paper. */

import { saveBlob } from '@/components/save-file'

/** Saves a text under a name. */
export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type }))
}

/** Pixels of the picture for one of the drawing: sharp on any screen and on paper. */
const PICTURE_SCALE = 3

/** Saves an SVG as a PNG picture, drawn by the browser. */
export async function savePicture(name: string, svg: string): Promise<void> {
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

/** Opens the report in a page of its own and prints it; false where the browser opens none. */
export function printPage(html: string): boolean {
  const address = URL.createObjectURL(new Blob([html], { type: 'text/html' }))
  const opened = open(address)
  if (opened === null) return false
  opened.addEventListener('load', () => opened.print())
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return true
}
