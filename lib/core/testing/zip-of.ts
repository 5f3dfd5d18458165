import {
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipWriter,
  type ZipWriterAddDataOptions,
} from '@zip.js/zip.js'

export interface PackedMember {
  readonly name: string
  readonly bytes: Uint8Array
  readonly options?: ZipWriterAddDataOptions
}

/** Creates a zip archive of the files, deflated by default. */
export async function zipOf(...members: readonly PackedMember[]): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  for (const { name, bytes, options } of members) {
    await writer.add(name, new Uint8ArrayReader(bytes), options)
  }
  return writer.close()
}
