import { joinPieces } from '@/lib/state/document/large-text'

/** Copies a text, whole or in pieces, to the clipboard. Returns false if the browser does not allow it. */
export async function writeClipboard(text: string | readonly string[]): Promise<boolean> {
  const whole = typeof text === 'string' ? text : await joinPieces(text)
  try {
    // A blob would be read back and converted in a longer block of the page.
    await navigator.clipboard.writeText(whole)
    return true
  } catch {
    return writeClipboardByCommand(whole)
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
