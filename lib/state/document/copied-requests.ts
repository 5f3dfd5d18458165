import type { CopiedRequests } from '@/lib/core/formats/network/recognise-copied-requests'
import type { SourceText } from './document-slice'

/** Requests copied as code, in a new text. Its code loads with the first text that is no sample. */
export async function copiedRequestsIn({
  text,
  origin,
}: SourceText): Promise<CopiedRequests | undefined> {
  if (origin.kind === 'sample') return undefined
  // Without its code, the worker reads the text as it is, and says what it is.
  const code = await import('@/lib/core/formats/network/recognise-copied-requests').catch(
    () => undefined,
  )
  return code?.recogniseCopiedRequests(text)
}
