/** Looks for what should not travel in a transcript, with the well-kept rules and our own. */

import { partitionPoint } from '../../text/partition-point'
import type { Offset, Span } from '../../text/span'
import { findByOwnRules, type OwnFinding, type OwnKind } from './own-rules'
import { plainTextOf } from './plain-text'
import { isStandIn, type Redactable } from './redact-secrets'
import { findByWellKeptRules } from './well-kept-rules'

/** The same secret is found under the same text, as plain text; its spans are in ascending order. */
export interface FoundSecret extends Redactable {
  /** Our own kind, or the provider a well-kept rule names. */
  readonly kind: string
}

/** Secrets of a text, each once, in the order in which they appear; in JSON and JSON Lines inside strings only. */
export async function findSecrets(source: string): Promise<readonly FoundSecret[]> {
  const plain = plainTextOf(source)
  const own = findByOwnRules(plain.text)
  const wellKept = (await findByWellKeptRules(plain.text)).map(({ start, end, provider }) => {
    return { start, end, kind: provider }
  })
  const [values, others] = [true, false].map((isValue) =>
    own.filter(({ kind }) => VALUES.includes(kind) === isValue),
  ) as [OwnFinding[], OwnFinding[]]
  const named = [...others, ...wellKept].filter((finding) => !isAroundValue(finding, values))
  // Of two that are the same, the first names it: a provider says more than that it was assigned.
  const seen = [...named, ...values]
  const findings = [...seen, ...repeatedOf(plain.text, seen)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )
  const strings = stringSpans(source)
  const found = new Map<string, { kind: string; spans: Span[] }>()
  let end: Offset = 0
  for (const finding of findings) {
    // What lies in a finding before it is redacted with that.
    if (finding.end <= end) continue
    const start = Math.max(finding.start, end)
    const span = clip(plain.sourceOf({ start, end: finding.end }), strings)
    const text = plain.text.slice(start, finding.end)
    end = finding.end
    // Outside of strings only a number can look like a secret in JSON; elsewhere it is text as any other.
    if (isStandIn(text) || isNumber(text)) continue
    const known = found.get(text)
    if (known === undefined) found.set(text, { kind: finding.kind, spans: [span] })
    else known.spans.push(span)
  }
  return [...found].map(([text, { kind, spans }]) => ({ kind, text, spans }))
}

interface Finding extends Span {
  readonly kind: string
}

/** What is secret of a longer text; the name or the address around it may stay. */
const VALUES: readonly OwnKind[] = ['url_password', 'assigned', 'basic']

/**
 * Whether a finding is one of those values with what stands before it. It gives way even where it ends earlier: rules
 * are known that report the right length at the wrong place, and what they leave would travel.
 */
function isAroundValue({ start, end, kind }: Finding, values: readonly OwnFinding[]): boolean {
  if (kind === 'private_key') return false
  // A password before an @ begins where what looks like an e-mail address does.
  const first = kind === 'email' ? start : start + 1
  const next = values[indexFrom(values, first)]
  return next !== undefined && next.start < end
}

/** Index of the first of ascending findings that begins there or later. */
function indexFrom(findings: readonly Finding[], start: Offset): number {
  return partitionPoint(0, findings.length, (at) => (findings[at] as Finding).start < start)
}

/** Characters by which a secret is looked up; shorter ones are not looked for. */
const BEGINNING = 8

/** Where else a secret stands: without what it was known by, or as the tail of a word. One pass, however many there are. */
function repeatedOf(text: string, findings: readonly Finding[]): readonly Finding[] {
  const kinds = new Map<string, string>()
  const lengths = new Map<string, Set<number>>()
  for (const { start, end, kind } of findings) {
    const secret = text.slice(start, end)
    if (kind === 'email' || kinds.has(secret) || !isUnlikelyWord(secret)) continue
    kinds.set(secret, kind)
    const beginning = secret.slice(0, BEGINNING)
    lengths.set(beginning, (lengths.get(beginning) ?? new Set()).add(secret.length))
  }
  const firsts = new Set([...lengths.keys()].map((beginning) => beginning.charCodeAt(0)))
  const repeated: Finding[] = []
  for (let at = 0; at <= text.length - BEGINNING; at++) {
    if (!firsts.has(text.charCodeAt(at))) continue
    for (const length of lengths.get(text.slice(at, at + BEGINNING)) ?? []) {
      const kind = kinds.get(text.slice(at, at + length))
      if (kind !== undefined) repeated.push({ start: at, end: at + length, kind })
    }
  }
  return repeated
}

function isNumber(text: string): boolean {
  return /^[-+.\deE]+$/.test(text)
}

/** Long enough, and of more than letters: as a password `postgres` is also a word. */
function isUnlikelyWord(text: string): boolean {
  return text.length >= BEGINNING && /\d/.test(text) && /\D/.test(text)
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

/** The part of a stretch that lies in the string it begins in; all of it where it begins in none. */
function clip(span: Span, strings: readonly Span[]): Span {
  const after = partitionPoint(0, strings.length, (at) => (strings[at] as Span).start <= span.start)
  const string = strings[after - 1]
  if (string === undefined || span.start < string.start || span.start >= string.end) return span
  return { start: span.start, end: Math.min(span.end, string.end) }
}
