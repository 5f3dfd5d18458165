import { ArrivingSource } from '@/lib/core/formats/reading/open-source'
import type { SourceDocument } from '@/lib/core/formats/reading/source-document'
import { chunksOf, freeBytes } from './file-bytes'

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
