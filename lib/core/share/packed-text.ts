/** A text packed for a link: UTF-8, raw deflate, base64url. */
import { deflateSync, Inflate, strToU8 } from 'fflate'
import { decodeUtf8 } from '../text/decode-utf8'

/** More than any link that can be pasted holds, few enough to unpack in a moment. */
export const MAX_UNPACKED_BYTES = 8_000_000

export type UnpackedText =
  | { readonly state: 'unpacked'; readonly text: string }
  | { readonly state: 'too_large' | 'damaged' }

/** Packs a text; lone surrogates become replacement characters, as in every UTF-8 text. */
export function packText(text: string): string {
  return toBase64Url(deflateSync(strToU8(text), { level: 9 }))
}

/** Unpacks a text, and stops as soon as it has become larger than `maximumBytes`. */
export function unpackText(packed: string, maximumBytes = MAX_UNPACKED_BYTES): UnpackedText {
  const bytes = fromBase64Url(packed)
  if (bytes === undefined) return { state: 'damaged' }
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = false
  const inflate = new Inflate((chunk, isLast) => {
    size += chunk.length
    chunks.push(chunk)
    isWhole ||= isLast
  })
  try {
    // Deflate grows at most 1032 times: each piece gives at most half a megabyte before it is looked at.
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const end = Math.min(bytes.length, start + PIECE_BYTES)
      inflate.push(bytes.subarray(start, end), end === bytes.length)
      if (size > maximumBytes) return { state: 'too_large' }
    }
    if (!isWhole) return { state: 'damaged' }
    return { state: 'unpacked', text: decodeUtf8(joined(chunks, size)) }
  } catch {
    return { state: 'damaged' }
  }
}

const PIECE_BYTES = 512
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUE_OF = new Map([...ALPHABET].map((letter, value) => [letter, value]))

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function toBase64Url(bytes: Uint8Array): string {
  const letters: string[] = []
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const word = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let letter = 0; letter <= Math.min(left, 3); letter++) {
      letters.push(ALPHABET[(word >> (18 - 6 * letter)) & 63] as string)
    }
  }
  return letters.join('')
}

function fromBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let word = 0
  let bits = 0
  let at = 0
  for (const letter of text) {
    const value = VALUE_OF.get(letter)
    if (value === undefined) return undefined
    word = ((word << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (word >> bits) & 255
  }
  return bytes
}
