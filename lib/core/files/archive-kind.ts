/** First bytes of archives, in hexadecimal. Names are not used, since a browser can rename or unpack a file. */
const SIGNATURES = {
  gzip: /^1f8b08/,
  // A zip with files in it, and an empty one.
  zip: /^504b(0304|0506)/,
  zstd: /^28b52ffd/,
  // PAR1, and PARE where its footer is encrypted.
  parquet: /^504152(31|45)/,
} as const

export type ArchiveKind = keyof typeof SIGNATURES

/** Returns the kind of archive by its first bytes; undefined for any other file. */
export function archiveKind(bytes: Uint8Array): ArchiveKind | undefined {
  const start = Array.from(bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'))
  const kinds = Object.keys(SIGNATURES) as ArchiveKind[]
  return kinds.find((kind) => SIGNATURES[kind].test(start.join('')))
}
