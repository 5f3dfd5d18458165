import { sliceText } from '@/lib/core/text/text-pieces'

/** UTF-16 units encoded in one task, which takes some milliseconds. */
const STEP = 2_000_000

/** A text as UTF-8. A long text is encoded in several tasks, so that the page stays responsive. */
export async function textBlob(pieces: readonly string[], type: string): Promise<Blob> {
  const blobs: Blob[] = []
  let group: string[] = []
  let length = 0
  for (const part of pieces.flatMap((piece) => sliceText(piece, STEP))) {
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
