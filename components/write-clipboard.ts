/** Copies a text to the clipboard. Returns false if the browser does not allow it. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return writeClipboardByCommand(text)
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
