/**
 * Reads files without leaving their bytes in memory: Chromium frees what `Blob.arrayBuffer` and the chunks of a plain
 * reader hold only when it collects garbage, which can take minutes.
 */

import { nextTask } from './run-in-steps'

const CHUNK = 262_144
/** Bytes that are read in one task: the reads of a file in memory would all be one. */
export const READ_AT_ONCE = 16 * CHUNK

/** Gives a file's bytes in chunks; a chunk holds its bytes until the next one is asked for. */
export async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = readerOf(file)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || value === undefined) return
      yield value
    }
  } finally {
    // Ends a reading that was left early.
    void reader.cancel().catch(() => {})
  }
}

/** All bytes of a file, in memory that `freeBytes` can free. */
export async function bytesOfBlob(file: Blob): Promise<Uint8Array> {
  // A system gives memory to its parts once they are written to.
  const bytes = new Uint8Array(file.size)
  let length = 0
  for await (const chunk of chunksOf(file)) {
    bytes.set(chunk, length)
    length += chunk.length
    if (length % READ_AT_ONCE < chunk.length) await nextTask()
  }
  return bytes
}

/** Frees the memory of bytes that a script made, in engines that can; else the garbage collector does it. */
export function freeBytes({ buffer }: Uint8Array): void {
  const { transfer } = buffer as { readonly transfer?: (length: number) => ArrayBufferLike }
  transfer?.call(buffer, 0)
}

/** A reader that uses the same memory for every chunk, in browsers that have one. */
function readerOf(file: Blob) {
  try {
    const reader = file.stream().getReader({ mode: 'byob' })
    let memory = new Uint8Array(CHUNK)
    return {
      cancel: () => reader.cancel(),
      read: async () => {
        const result = await reader.read(memory)
        if (result.value !== undefined) memory = new Uint8Array(result.value.buffer)
        return result
      },
    }
  } catch {
    return file.stream().getReader()
  }
}
