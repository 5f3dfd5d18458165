const mark = 'raw number '

/** A number to be written exactly as given; JSON.stringify would print other digits. */
export const rawNumber = (literal: string): string => `${mark}${literal}`

/** Replaces the strings made by `rawNumber` by their number literals. */
export function writeRawNumbers(text: string): string {
  return text.replace(new RegExp(`"${mark}([^"]+)"`, 'g'), '$1')
}

/** Ends every line of the second half in CRLF; the last line has no line end. */
export function mixLineEnds(text: string): string {
  const lines = text.trimEnd().split('\n')
  const half = Math.floor(lines.length / 2)
  return `${lines.slice(0, half).join('\n')}\n${lines.slice(half).join('\r\n')}`
}
