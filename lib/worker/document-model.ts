import type { Conversation } from '@/lib/core/conversation/conversation'
import { FORMATS, type ReadDocument } from '@/lib/core/formats/read-document'
import { ArrivingSource } from '@/lib/core/formats/reading/open-source'
import type { SourceDocument } from '@/lib/core/formats/reading/source-document'
import { checkHistory } from '@/lib/core/integrity/check-history'
import { hasMoreLines } from '@/lib/core/text/lines'
import type { TextSlices } from '@/lib/core/text/span'
import { withoutTexts } from '@/lib/core/tokens/count-conversation'
import { chunksOf, freeBytes } from './file-bytes'

export type DocumentModel = ReturnType<typeof modelOf>

/** A document as the page knows it: facts and spans, no texts. */
export function modelOf(document: ReadDocument<TextSlices>) {
  const { source, format, evidence, candidates, conversations, problems } = document
  const messages = conversations.reduce((sum, { messages }) => sum + messages.length, 0)
  return {
    format: format.id,
    formatLabel: format.label,
    evidence,
    /** Every known format, for the format picker. */
    formats: formatChoices(candidates),
    layout: source.layout,
    /** True for a JSON document with fewer lines than messages, which is worth formatting. */
    isOnFewLines: source.layout === 'json' && !hasMoreLines(source.text, messages),
    conversations: conversations.map(withoutTexts) as readonly Conversation[],
    /** By conversation: what is wrong with its history, apart from arguments of calls. */
    findings: conversations.map(checkHistory),
    problems,
  }
}

/** Every format that a text can be read as. */
export function formatChoices(candidates: ReadDocument['candidates']) {
  return FORMATS.map(({ id, label, expects }) => {
    return { id, label, expects, isRecognised: candidates.includes(id) }
  })
}

/**
 * Opens a file while it is read: lines of JSON are parsed as they arrive. Undefined if the file cannot be read, as when it
 * changed after it was chosen, or once `goesOn` gives false.
 */
export async function openFile(
  file: Blob,
  goesOn: () => boolean,
  onProgress: (done: number) => void,
): Promise<SourceDocument | string | undefined> {
  const memory = new Uint8Array(file.size)
  const arriving = new ArrivingSource(memory)
  const chunks = chunksOf(file)
  try {
    for (let read = 0; read < file.size; onProgress(read / file.size)) {
      const { value: chunk } = await chunks.next().catch(() => ({ value: undefined }))
      if (chunk === undefined || !goesOn()) return undefined
      arriving.add(chunk)
      read += chunk.length
    }
    return arriving.finish()
  } finally {
    void chunks.return(undefined)
    freeBytes(memory)
  }
}
