import { nextTask } from '@/lib/worker/next-task'

const CHARS_BETWEEN_PAUSES = 1_000_000

/** Bytes of a text in UTF-8, counted in several tasks. A lone surrogate counts as the character that replaces it. */
export async function utf8Length(text: string): Promise<number> {
  let bytes = text.length
  for (let start = 0; start < text.length; start += CHARS_BETWEEN_PAUSES) {
    if (start > 0) await nextTask()
    const end = Math.min(text.length, start + CHARS_BETWEEN_PAUSES)
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code < 0x80) continue
      bytes += code < 0x800 ? 1 : 2
      // The two units of a pair are four bytes.
      if (code >= 0xdc00 && code < 0xe000 && isHigh(text.charCodeAt(at - 1))) bytes -= 2
    }
  }
  return bytes
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
