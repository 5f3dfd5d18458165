export interface ClampedText {
  readonly text: string
  readonly isWhole: boolean
}

/** Cuts a text after a number of lines or UTF-16 units, whichever comes first; never within a surrogate pair. */
export function clampText(text: string, lines: number, units: number): ClampedText {
  let end = 0
  for (let line = 0; line < lines && end < units; line++) {
    const next = text.indexOf('\n', end)
    if (next < 0) {
      end = text.length + 1
      break
    }
    end = next + 1
  }
  const cut = Math.min(units, Math.max(0, end - 1))
  if (cut >= text.length) return { text, isWhole: true }
  return { text: text.slice(0, isWithinPair(text, cut) ? cut - 1 : cut), isWhole: false }
}

/** True between the two halves of a surrogate pair. */
export function isWithinPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
