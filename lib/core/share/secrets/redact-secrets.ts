import { countCodePoints } from '../../conversation/count-code-points'
import { applyEdits, type Edit, type Span } from '../../text/span'

export interface Redactable {
  readonly text: string
  /** In the source, inside strings. */
  readonly spans: readonly Span[]
}

/**
 * The source with each secret replaced: the same secret by the same stand-in, everything else as it was. A stand-in
 * is as many characters as its secret where that leaves room for its number, so that what masking counts stays.
 */
export function redactSecrets(source: string, secrets: readonly Redactable[]): string {
  const edits = secrets.flatMap((secret, index) => {
    const text = standIn(secret.text, index + 1)
    return secret.spans.map((span): Edit => ({ ...span, text }))
  })
  return applyEdits(
    source,
    edits.sort((a, b) => a.start - b.start),
  )
}

/** Whether a text is what stands in a secret's place already. */
export function isStandIn(text: string): boolean {
  return /^(?:REDACTED-|\*)\d+\**$/.test(text)
}

/** `REDACTED-3***`, or `*3*` where there is no room for the word; no letter of it needs an escape. */
function standIn(secret: string, number: number): string {
  const length = countCodePoints(secret)
  const name = `REDACTED-${number}`
  return (name.length <= length ? name : `*${number}`).padEnd(length, '*')
}
