import { applyEdits, countCodePoints, type Edit, type TextSpan } from '../../text/span'

export interface Redactable {
  readonly text: string
  /** Spans in the source, inside strings. */
  readonly spans: readonly TextSpan[]
}

/** Replaces each secret with a redaction mark of the same length, so that masking counts the same. */
export function redactSecrets(source: string, secrets: readonly Redactable[]): string {
  const edits = secrets.flatMap((secret, index) =>
    secret.spans.map((span): Edit => {
      const written = source.slice(span.start, span.end)
      const text = isNumberValue(source, span)
        ? '1'.padEnd(written.length, '0')
        : redactionMark(lengthOf(written), index + 1)
      return { ...span, text }
    }),
  )
  return applyEdits(
    source,
    edits.sort((a, b) => a.start - b.start),
  )
}

/** True for a number of JSON, which only another number can replace. */
function isNumberValue(source: string, { start, end }: TextSpan): boolean {
  return (
    /["'][ \t]{0,20}:[ \t\r\n]{0,20}$/.test(source.slice(Math.max(0, start - 60), start)) &&
    /^\d+$/.test(source.slice(start, end))
  )
}

/** Length of a part of a JSON string, in which an escape counts as one character. */
function lengthOf(part: string): number {
  try {
    return countCodePoints(JSON.parse(`"${part}"`) as string)
  } catch {
    // The part of a text that is not JSON.
    return countCodePoints(part)
  }
}

export function isRedactionMark(text: string): boolean {
  return /^(?:(?:REDACTED-|\*)\d+\**|\*+)$/.test(text)
}

/** `REDACTED-3***`, `*3*` or `***`, whichever fits first. No character of it needs an escape. */
function redactionMark(length: number, number: number): string {
  const names = [`REDACTED-${number}`, `*${number}`, '']
  return (names.find((name) => name.length <= length) as string).padEnd(length, '*')
}
