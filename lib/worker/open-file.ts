import { ArrivingSource } from '@/lib/core/formats/reading/open-source'
import type { SourceDocument } from '@/lib/core/formats/reading/source-document'
import { freeBytes } from './free-bytes'

/**
 * Opens a file while it is read: lines of JSON are parsed as they arrive. Undefined if the file cannot be read, as when it
 * changed after it was chosen, or once `goesOn` gives false.
 */
export async function openFile(
  file: Blob,
  goesOn: () => boolean,
  onProgress: (done: number) => void,
): Promise<SourceDocument | string | undefined> {
  // A system gives memory to its parts once they are written to.
  const memory = new Uint8Array(file.size)
  const arriving = new ArrivingSource(memory)
  const reader = file.stream().getReader()
  for (let read = 0; read < file.size; onProgress(read / file.size)) {
    const { value: bytes } = await reader.read().catch(() => ({ value: undefined }))
    if (bytes === undefined || !goesOn()) {
      void reader.cancel().catch(() => {})
      return undefined
    }
    read += bytes.length
    arriving.add(bytes)
    freeBytes(bytes)
  }
  const opened = arriving.finish()
  freeBytes(memory)
  return opened
}
