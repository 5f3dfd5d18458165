const mark = 'raw number '

/** A number that is to be written exactly so; JSON.stringify would print another text. */
export const rawNumber = (literal: string): string => `${mark}${literal}`

/** Puts the literals of `rawNumber` in place of the strings that stood for them. */
export function writeRawNumbers(text: string): string {
  return text.replace(new RegExp(`"${mark}([^"]+)"`, 'g'), '$1')
}

/** From the middle on every line ends in CRLF; the last line has no end at all. */
export function mixLineEnds(text: string): string {
  const lines = text.trimEnd().split('\n')
  const half = Math.floor(lines.length / 2)
  return `${lines.slice(0, half).join('\n')}\n${lines.slice(half).join('\r\n')}`
}
