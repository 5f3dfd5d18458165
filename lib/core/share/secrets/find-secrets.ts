/** Looks for what should not travel in a transcript, with the well-kept rules and our own. */
import type { Offset, Span } from '../../text/span'
import { findByOwnRules } from './own-rules'
import { plainTextOf } from './plain-text'
import { isStandIn, type Redactable } from './redact-secrets'
import { findByWellKeptRules } from './well-kept-rules'

/** The same secret is found under the same text, as plain text; its spans are in ascending order. */
export interface FoundSecret extends Redactable {
  /** Our own kind, or the provider a well-kept rule names. */
  readonly kind: string
}

/** Secrets of a JSON or JSON Lines source, each once, in the order in which they appear. */
export async function findSecrets(source: string): Promise<readonly FoundSecret[]> {
  const plain = plainTextOf(source)
  const findings = [
    ...findByOwnRules(plain.text),
    ...(await findByWellKeptRules(plain.text)).map(({ start, end, provider }) => {
      return { start, end, kind: provider }
    }),
  ].sort((a, b) => a.start - b.start || b.end - a.end)
  const strings = stringSpans(source)
  const found = new Map<string, { kind: string; spans: Span[] }>()
  let end: Offset = 0
  for (const finding of findings) {
    // What lies in a finding before it is redacted with that.
    const span = clip(plain.sourceOf({ ...finding, start: Math.max(finding.start, end) }), strings)
    if (finding.end <= end || span === undefined) continue
    const text = plain.text.slice(Math.max(finding.start, end), finding.end)
    end = finding.end
    if (isStandIn(text)) continue
    const known = found.get(text)
    if (known === undefined) found.set(text, { kind: finding.kind, spans: [span] })
    else known.spans.push(span)
  }
  return [...found].map(([text, { kind, spans }]) => ({ kind, text, spans }))
}

/** The insides of the strings of a source, without their quotes; one that is cut off ends with its line. */
function stringSpans(source: string): readonly Span[] {
  const strings: Span[] = []
  const string = /"(?:[^"\\\n]|\\.)*"?/g
  for (const { index, 0: text } of source.matchAll(string)) {
    const isClosed = text.length > 1 && text.endsWith('"')
    strings.push({ start: index + 1, end: index + text.length - (isClosed ? 1 : 0) })
  }
  return strings
}

/** The part of a stretch that lies in the string it begins in; undefined when it begins in none. */
function clip(span: Span, strings: readonly Span[]): Span | undefined {
  let low = 0
  let high = strings.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((strings[middle] as Span).start <= span.start) low = middle
    else high = middle - 1
  }
  const string = strings[low]
  if (string === undefined || span.start < string.start || span.start >= string.end)
    return undefined
  return { start: span.start, end: Math.min(span.end, string.end) }
}
