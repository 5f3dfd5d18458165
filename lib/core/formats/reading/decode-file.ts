import { ReadError } from '../../problem'
import { decodeUtf8 } from '../../text/decode-utf8'
import { MAX_SOURCE_LENGTH } from './open-source'

/** Largest file that is decoded: a UTF-16 code unit takes at most three bytes in UTF-8. */
export const MAX_FILE_BYTES = MAX_SOURCE_LENGTH * 3

/** Decodes a file; throws a `ReadError` when it is not text, empty or too large. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.length > MAX_FILE_BYTES) throw fileTooLargeError(bytes.length)
  const text = decodeUtf8(bytes)
  if (text.trim() === '') throw new ReadError('empty_file')
  return text
}

export function fileTooLargeError(bytes: number): ReadError {
  const limit = MAX_SOURCE_LENGTH / 1e6
  return new ReadError('too_large', { size: Math.ceil(bytes / 1e6), limit })
}
