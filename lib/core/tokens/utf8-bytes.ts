const NON_ASCII = /[^\0-\x7f]/

/** Encodes a text as UTF-8, with one character per byte; a lone surrogate becomes U+FFFD. */
export function utf8Bytes(text: string): string {
  if (!NON_ASCII.test(text)) return text
  let bytes = ''
  for (const char of text.toWellFormed()) {
    const code = char.codePointAt(0) as number
    if (code < 0x80) bytes += char
    else if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), tail(code))
    else if (code < 0x10000)
      bytes += String.fromCharCode(0xe0 | (code >> 12), tail(code >> 6), tail(code))
    else
      bytes += String.fromCharCode(
        0xf0 | (code >> 18),
        tail(code >> 12),
        tail(code >> 6),
        tail(code),
      )
  }
  return bytes
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f)
}
