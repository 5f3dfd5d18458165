import { textBlob } from './text-blob'

/** A longer text is handed over as a blob, since the browser converts a string at once. */
const LONGEST_STRING = 2_000_000

/** Copies a text, whole or in pieces, to the clipboard. Returns false if the browser does not allow it. */
export async function writeClipboard(text: string | readonly string[]): Promise<boolean> {
  const pieces = typeof text === 'string' ? [text] : text
  const isLong = pieces.reduce((sum, { length }) => sum + length, 0) > LONGEST_STRING
  try {
    if (isLong && 'ClipboardItem' in window) {
      const type = 'text/plain'
      await navigator.clipboard.write([new ClipboardItem({ [type]: textBlob(pieces, type) })])
    } else await navigator.clipboard.writeText(pieces.join(''))
    return true
  } catch {
    return writeClipboardByCommand(pieces.join(''))
  }
}

/** Fallback for pages that are not served securely. */
function writeClipboardByCommand(text: string): boolean {
  const onCopy = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    event.clipboardData?.setData('text/plain', text)
  }
  const isCapture = true
  addEventListener('copy', onCopy, isCapture)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    removeEventListener('copy', onCopy, isCapture)
  }
}
