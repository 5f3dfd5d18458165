import { ReadError } from '../problem'
import { decodeUtf8 } from '../text/decode-utf8'
import { MAX_SOURCE_LENGTH } from './source-document'

/** More bytes than a text that is short enough to be read can have: a character takes at most three of them here. */
export const MAX_FILE_BYTES = MAX_SOURCE_LENGTH * 3

/** The text of a file's bytes; a `ReadError` for one that is no text, empty, or too long to be read. */
export function textOfFile(bytes: Uint8Array): string {
  if (bytes.length > MAX_FILE_BYTES) throw fileTooLarge(bytes.length)
  const text = decodeUtf8(bytes)
  if (text.trim() === '') throw new ReadError('empty_file')
  return text
}

export function fileTooLarge(bytes: number): ReadError {
  const limit = MAX_SOURCE_LENGTH / 1e6
  return new ReadError('too_large', { size: Math.ceil(bytes / 1e6), limit })
}
