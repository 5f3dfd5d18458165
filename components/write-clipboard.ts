import { LONGEST_AT_ONCE } from '@/lib/state/document/large-text'
import { nextTask } from '@/lib/worker/next-task'

/** Copies a text, whole or in pieces, to the clipboard. Returns false if the browser does not allow it. */
export async function writeClipboard(text: string | readonly string[]): Promise<boolean> {
  const whole = typeof text === 'string' ? text : await joined(text)
  try {
    // A blob would be read back and converted in a longer block of the page.
    await navigator.clipboard.writeText(whole)
    return true
  } catch {
    return writeClipboardByCommand(whole)
  }
}

/** A long text is joined in a task of its own. */
async function joined(pieces: readonly string[]): Promise<string> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= LONGEST_AT_ONCE) return pieces.join('')
  await nextTask()
  const whole = pieces.join('')
  await nextTask()
  return whole
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
