/** First bytes of archives. Names are not used, since a browser can rename or unpack a file. */
const SIGNATURES = {
  gzip: [[0x1f, 0x8b, 0x08]],
  // A zip with files in it, and an empty one.
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  zstd: [[0x28, 0xb5, 0x2f, 0xfd]],
  // PAR1, and PARE where its footer is encrypted.
  parquet: [
    [0x50, 0x41, 0x52, 0x31],
    [0x50, 0x41, 0x52, 0x45],
  ],
} as const

export type ArchiveKind = keyof typeof SIGNATURES

const KINDS = Object.keys(SIGNATURES) as ArchiveKind[]

/** Returns the kind of archive by its first bytes; undefined for any other file. */
export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  return KINDS.find((kind) =>
    SIGNATURES[kind].some((signature) => signature.every((byte, at) => bytes[at] === byte)),
  )
}
