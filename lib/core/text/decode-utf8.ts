/**
 * Decodes UTF-8 without loss: invalid bytes are refused with their offset, never replaced.
 * A byte order mark stays in the text, so that encoding the text gives the same bytes.
 */

import { ReadError } from '../problem'
import { phrase, type WordKey } from '../words/words'

// The core is compiled without DOM and Node types; both have these.
declare const TextEncoder: new () => { encode: (text: string) => Uint8Array }
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode: (bytes: Uint8Array) => string }

/** Names of file types that are not text, by their first bytes. */
const SIGNATURES: readonly (readonly [readonly number[], WordKey])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'zip_archive'],
  [[0x1f, 0x8b], 'gzip_archive'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd_archive'],
  [[0x89, 0x50, 0x4e, 0x47], 'png_image'],
  [[0xff, 0xd8, 0xff], 'jpeg_image'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf_document'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], 'sqlite_database'],
]

/** Decodes UTF-8 bytes, including a byte order mark; throws a `ReadError` for other files, UTF-16 and invalid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  const kind = otherKindOf(bytes)
  if (kind !== undefined) throw new ReadError('other_file', { kind: phrase(kind) })
  const utf16 = utf16Kind(bytes)
  if (utf16 !== undefined) throw new ReadError('utf16', { found: phrase(utf16) })
  const zero = bytes.indexOf(0)
  if (zero !== -1) throw new ReadError('binary', { offset: zero })
  return decodeAnyUtf8(bytes)
}

/** As `decodeUtf8`, for bytes that are known to be text: zero characters are decoded like all others. */
export function decodeAnyUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // The decoder and RFC 3629 refuse the same bytes.
    const offset = firstBadByte(bytes) as number
    const byte = bytes[offset] as number
    // A first byte has as many ones before its first zero as its sequence has bytes.
    const length = byte < 0xc2 || byte > 0xf4 ? 0 : Math.clz32(~byte << 24)
    const isCut = offset + length > bytes.length
    const shown = `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
    const found = isCut ? phrase('byte_cut_off', { found: shown }) : shown
    throw new ReadError('not_utf8', { offset, found })
  }
}

function utf16Kind(bytes: Uint8Array): WordKey | undefined {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return 'utf_16_little_endian'
  if (first === 0xfe && second === 0xff) return 'utf_16_big_endian'
  // Without a byte order mark: JSON starts with two ASCII characters, so every other byte is zero.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf_16_little_endian'
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf_16_big_endian'
  return undefined
}

/** The kind of a file that is not text, by its first bytes; undefined if they show none. */
export function otherKindOf(bytes: Uint8Array): WordKey | undefined {
  const frame = skippedEnd(bytes)
  return SIGNATURES.find(([signature, kind]) =>
    signature.every((byte, at) => bytes[kind === 'zstd_archive' ? frame + at : at] === byte),
  )?.[1]
}

/** The end of the frames at `from` that readers of Zstandard skip (RFC 8878, section 3.1.2): other programs' data. */
export function skippedEnd(bytes: Uint8Array, from = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = from
  while (at + 8 <= bytes.length && view.getUint32(at, true) >>> 4 === 0x184d2a5)
    at += 8 + view.getUint32(at + 4, true)
  return at
}

/** Returns the offset of the first byte that does not start a valid sequence (RFC 3629); undefined when all are valid. */
export function firstBadByte(bytes: Uint8Array): number | undefined {
  // A decoder that is not fatal writes another character for it.
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes)
  const written = new TextEncoder().encode(text)
  let offset = written.findIndex((byte, at) => byte !== bytes[at])
  while (((written[offset] ?? 0) & 0xc0) === 0x80) offset--
  return offset === -1 ? undefined : offset
}
