import { ArrivingSource } from '@/lib/core/formats/reading/open-source'
import type { SourceDocument } from '@/lib/core/formats/reading/source-document'

/**
 * Opens a file while it is read: lines of JSON are parsed as they arrive. Undefined if the file cannot be read, as when it
 * changed after it was chosen, or once `goesOn` gives false.
 */
export async function openFile(
  file: Blob,
  goesOn: () => boolean,
  onProgress: (done: number) => void,
): Promise<SourceDocument | string | undefined> {
  const arriving = new ArrivingSource(file.size)
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
  return arriving.finish()
}

/** Frees the memory of bytes at once, in browsers that can; else the garbage collector does it. */
export function freeBytes({ buffer }: Uint8Array): void {
  const { transfer } = buffer as { transfer?: (length: number) => ArrayBuffer }
  transfer?.call(buffer, 0)
}
