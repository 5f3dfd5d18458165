/**
 * Packs a text for a link: UTF-8, raw deflate, base64url. Lone surrogates have no UTF-8 form. They are written as UTF-8
 * would write other characters of their numbers (WTF-8, https://simonsapin.github.io/wtf-8/).
 */
import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate'
import { decodeAnyUtf8 } from '../../text/decode-utf8'

// Browsers and Node have both; the core is compiled without their types.
declare const atob: (text: string) => string
declare const btoa: (text: string) => string

/** More than fits in any link that can be pasted, and quick to unpack. */
export const MAX_UNPACKED_BYTES = 8_000_000

export type UnpackedText =
  | { readonly state: 'unpacked'; readonly text: string }
  | { readonly state: 'too_large' | 'damaged' }

/** Packs a text; `unpackText` gives it back, whatever characters it has. */
export function packText(text: string): string {
  return toBase64Url(deflateSync(encode(text), { level: 9 }))
}

/** Unpacks a text. Stops once it exceeds `maximumBytes`. */
export function unpackText(packed: string, maximumBytes = MAX_UNPACKED_BYTES): UnpackedText {
  const bytes = fromBase64Url(packed)
  if (bytes === undefined) return { state: 'damaged' }
  const chunks: Uint8Array[] = []
  let size = 0
  let isComplete = false
  const inflate = new Inflate((chunk, isLast) => {
    size += chunk.length
    chunks.push(chunk)
    isComplete ||= isLast
  })
  try {
    // Deflate expands at most 1032 times, so a piece gives at most half a megabyte before the check.
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const end = Math.min(bytes.length, start + PIECE_BYTES)
      inflate.push(bytes.subarray(start, end), end === bytes.length)
      if (size > maximumBytes) return { state: 'too_large' }
    }
    if (!isComplete) return { state: 'damaged' }
    const unpacked = chunks.map((chunk) => strFromU8(chunk, true)).join('')
    return { state: 'unpacked', text: decode(unpacked) }
  } catch {
    return { state: 'damaged' }
  }
}

const PIECE_BYTES = 512

function encode(text: string): Uint8Array {
  if (text.isWellFormed()) return strToU8(text)
  const pieces = text.split(/(\p{Surrogate})/u).map((piece, at) => {
    if (at % 2 === 0) return strFromU8(strToU8(piece), true)
    const code = piece.charCodeAt(0)
    return String.fromCharCode(0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
  })
  return strToU8(pieces.join(''), true)
}

/** Decodes what `encode` wrote, a character for each byte. Throws a `ReadError` for other invalid bytes. */
function decode(bytes: string): string {
  const pieces = bytes.split(/\xed([\xa0-\xbf][\x80-\xbf])/).map((piece, at) => {
    if (at % 2 === 0) return decodeAnyUtf8(strToU8(piece, true))
    const [second, third] = [piece.charCodeAt(0), piece.charCodeAt(1)]
    return String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f))
  })
  return pieces.join('')
}

function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(strFromU8(bytes, true))
  return base64.replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')
}

function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  return strToU8(atob(text.replace(/[-_]/g, (sign) => (sign === '-' ? '+' : '/'))), true)
}
