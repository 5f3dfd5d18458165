import type { CopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import type { TextSlices } from '@/lib/core/text/span'
import { nextTask } from '@/lib/worker/next-task'
import type { SourceText } from './document-slice'
import { LONGEST_AT_ONCE } from './large-text'
import { slicesOf } from './selectors'

const STREAMED = '\ndata:'
const CHARS_OF_PART = 1_000_000

/** Requests copied as code, in a new text. Its code loads with the first text that is no sample. */
export async function copiedRequestsIn(source: SourceText): Promise<CopiedRequests | undefined> {
  if (source.origin.kind === 'sample' || (await isLongJson(slicesOf(source)))) return undefined
  // Without its code, the worker reads the text as it is, and says what it is.
  const code = await import('@/lib/core/formats/network/recognise-copied-requests').catch(
    () => undefined,
  )
  return code?.recogniseCopiedRequests(source.text)
}

/** True for a long text that begins like JSON and has no line of streamed events. Reads it part by part. */
async function isLongJson(text: TextSlices): Promise<boolean> {
  if (text.length <= LONGEST_AT_ONCE || !/^\s*[[{]/.test(text.slice(0, CHARS_OF_PART))) return false
  for (let start = 0; start < text.length; start += CHARS_OF_PART) {
    const part = text.slice(start, start + CHARS_OF_PART + STREAMED.length - 1)
    if (part.includes(STREAMED)) return false
    await nextTask()
  }
  return true
}
