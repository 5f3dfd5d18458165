import { sliceText } from '@/lib/core/text/span'
import type { Values } from '@/lib/core/words/words'
import { joinPieces } from '@/lib/state/document/large-text'
import type { NoticeCode } from '@/lib/state/notices'
import type { Playground } from '@/lib/state/playground'

/** Saves a file as a browser download. */
export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Some browsers read the URL only some time after the click, busy ones after many seconds.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

type Notify = Pick<Playground['actions'], 'notify'>

/** Saves a file, and says so in a notice. */
export function saveFile(
  { notify }: Notify,
  name: string,
  parts: BlobPart[],
  type = 'application/json',
): void {
  saveBlob(name, new Blob(parts, { type }))
  notify('downloaded', { name })
}

/** Copies a text, and says in a notice that it is copied, or that the browser does not allow it. */
export async function copyText(
  { notify }: Notify,
  text: string | readonly string[],
  code: NoticeCode,
  values: Values,
): Promise<boolean> {
  const isCopied = await writeClipboard(text)
  if (isCopied) notify(code, values)
  else notify('copy_failed', {}, 'error')
  return isCopied
}

/** The name of a file made from the one that is open: `run.json` gives `run.masked.json`. It keeps its ending unless given another. */
export function markedName(
  name: string | undefined,
  mark: string,
  usual = 'json',
  ending?: string,
): string {
  const [, stem, own = usual] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(name ?? '') ?? []
  return `${stem || 'conversation'}.${mark}.${ending ?? own}`
}

/** UTF-16 units encoded in one task, which takes some milliseconds. */
const STEP = 2_000_000

/** A text as UTF-8. A long text is encoded in several tasks, so that the page stays responsive. */
export async function textBlob(pieces: readonly string[], type: string): Promise<Blob> {
  const blobs: Blob[] = []
  let group: string[] = []
  let length = 0
  for (const part of pieces.flatMap((piece) => [...sliceText(piece, STEP)])) {
    group.push(part)
    length += part.length
    if (length < STEP) continue
    blobs.push(new Blob(group))
    group = []
    length = 0
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return new Blob([...blobs, ...group], { type })
}

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
