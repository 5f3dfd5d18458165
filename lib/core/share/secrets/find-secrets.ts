/** Finds secrets and e-mail addresses in a transcript: patterns, values of names such as `password`, and their repeats. */

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { partitionPoint, type TextSpan } from '../../text/span'
import { findAssigned } from './find-assigned'
import { isRedactionMark, type Redactable } from './redact-secrets'
import { SECRET_RULES, type SecretRule } from './secret-rules'
import type { StringScopes, UnescapedText } from './string-scopes'
import { closedScope, stringScopes, unescapeText } from './string-scopes'

/** A secret in unescaped form, and every span where it occurs, in ascending order. */
export interface FoundSecret extends Redactable {
  /** Kind of our pattern, or provider named by secretlint's rule, such as `github`. */
  readonly kind: string
}

/** Returns each secret in a text once, in order of appearance. In JSON the spans are inside strings. */
export async function findSecrets(source: string): Promise<readonly FoundSecret[]> {
  const plain = unescapeText(source)
  const scopes = stringScopes(plain)
  const matches = [
    ...matchSecretPatterns(source, plain, scopes),
    ...findAssigned(plain.text, scopes).map((span) => ({ ...span, kind: 'assigned' })),
  ]
  const values = matches
    .filter(({ kind }) => VALUE_KINDS.includes(kind))
    .sort((a, b) => a.start - b.start)
  const others = matches.filter(({ kind }) => !VALUE_KINDS.includes(kind))
  const reported = await matchSecretlintRules(plain.text)
  const isSeparate = (found: SecretSpan) => !isAroundValue(found, values)
  const emails = others.filter(({ kind }) => kind === 'email')
  const providers = [
    ...others.filter(({ kind }) => kind !== 'email'),
    ...[...emails, ...reported].filter(isSeparate),
  ]
  // Of two equal spans the first names the secret: a provider is more specific than an assignment.
  const seen = [...providers, ...values].map((span) => clip(span, scopes))
  const repeats = findRepeats(plain.text, seen).map((span) => clip(span, scopes))
  const spans = [...seen, ...repeats].sort((a, b) => a.start - b.start || b.end - a.end)
  const found = new Map<string, { kind: string; spans: TextSpan[] }>()
  for (const span of mergeOverlaps(spans)) {
    const text = plain.text.slice(span.start, span.end)
    if (text === '' || isRedactionMark(text)) continue
    const { kind, spans } = found.get(text) ?? { kind: span.kind, spans: [] }
    spans.push(plain.sourceOf(span))
    found.set(text, { kind, spans })
  }
  return [...found].map(([text, { kind, spans }]) => ({ kind, text, spans }))
}

interface SecretSpan extends TextSpan {
  readonly kind: string
}

/** Returns the matches of our patterns, in ascending order. Matches of different patterns may overlap. */
function matchSecretPatterns(
  source: string,
  { text, sourceOf }: UnescapedText,
  scopes: StringScopes,
): SecretSpan[] {
  const written = (span: TextSpan) => {
    const { start, end } = sourceOf(span)
    return source.slice(start, end)
  }
  const rules: readonly SecretRule[] = SECRET_RULES
  return rules
    .flatMap(({ kind, pattern, isSecret, within }) =>
      matchesOf(pattern, text, scopes, within?.(text)).flatMap(({ from, match }): SecretSpan[] => {
        const before = match.groups?.before ?? ''
        const secret = match.groups?.secret ?? before + match[0]
        const [at] = match.indices?.groups?.secret ?? [match.index - before.length]
        const span = { start: from + at, end: from + at + secret.length }
        return isSecret?.(secret, written(span)) === false ? [] : [{ kind, ...span }]
      }),
    )
    .sort((a, b) => a.start - b.start)
}

function matchesOf(
  pattern: RegExp,
  text: string,
  scopes: StringScopes,
  parts: readonly TextSpan[] = [{ start: 0, end: text.length }],
) {
  return parts
    .map((part) => clip(part, scopes))
    .flatMap(({ start: from, end }) =>
      [...text.slice(from, end).matchAll(pattern)].map((match) => ({ from, match })),
    )
}

/** Kinds that cover only a part of their match, such as the password of a URL; the rest may stay. */
const VALUE_KINDS: readonly string[] = ['url_password', 'assigned', 'basic']

/** True if a span contains such a value, which replaces it: some rules report a wrong offset, or the name too. */
function isAroundValue({ start, end, kind }: SecretSpan, values: readonly SecretSpan[]): boolean {
  if (kind === 'privatekey') return false
  // A password before an @ starts at the same offset as an apparent e-mail address.
  const first = kind === 'email' ? start : start + 1
  const next =
    values[partitionPoint(0, values.length, (at) => (values[at] as SecretSpan).start < first)]
  return next !== undefined && next.start < end
}

/** Cuts a span at the end of the string it starts in. Outside of strings it is unchanged. */
function clip<Span extends TextSpan>(span: Span, scopes: StringScopes): Span {
  return { ...span, end: Math.min(span.end, closedScope(scopes, span.start)?.end ?? span.end) }
}

/** Joins overlapping spans, so that a secret is redacted completely. Spans must be in ascending order. */
function mergeOverlaps(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const merged: SecretSpan[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** Length of the prefix by which secrets are looked up; shorter ones are not. */
const PREFIX_LENGTH = 8

/** Finds other occurrences of the secrets in one pass: without the context a pattern needs, or inside a word. */
function findRepeats(text: string, spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const kinds = new Map<string, string>()
  const lengths = new Map<string, Set<number>>()
  for (const { start, end, kind } of spans) {
    const secret = text.slice(start, end)
    if (kind === 'email' || kinds.has(secret)) continue
    // It may be a number of JSON, or a common word, as the password `postgres` is.
    const isWord = secret.length < PREFIX_LENGTH || !/\d/.test(secret) || !/\D/.test(secret)
    if (isWord || /^[-+.\deE]+$/.test(secret)) continue
    kinds.set(secret, kind)
    const prefix = secret.slice(0, PREFIX_LENGTH)
    lengths.set(prefix, (lengths.get(prefix) ?? new Set()).add(secret.length))
  }
  const firsts = new Set([...lengths.keys()].map((prefix) => prefix.charCodeAt(0)))
  const repeated: SecretSpan[] = []
  for (let at = 0; at <= text.length - PREFIX_LENGTH; at++) {
    if (!firsts.has(text.charCodeAt(at))) continue
    for (const length of lengths.get(text.slice(at, at + PREFIX_LENGTH)) ?? []) {
      const kind = kinds.get(text.slice(at, at + length))
      if (kind !== undefined) repeated.push({ start: at, end: at + length, kind })
    }
  }
  return repeated
}

/** What these rules use of secretlint's own types. */
interface Rule {
  readonly meta: { readonly id: string }
  readonly create: (
    context: {
      readonly createTranslator: () => () => undefined
      readonly report: (match: { readonly range: readonly [number, number] }) => void
    },
    options: object,
  ) => { readonly file: (source: object) => unknown }
}

const RULE_PREFIX = /^@secretlint\/secretlint-rule-/

const SECRETLINT_RULES = (rules as readonly unknown[] as readonly Rule[]).filter(
  ({ meta }) => !meta.id.endsWith('-filter-comments'),
)

/**
 * Runs secretlint's recommended rules for about 25 providers (version 12, MIT). `@secretlint/core` is not used: it
 * compares every finding with every other one, and comments such as `secretlint-disable` in a text turn its rules off.
 * https://github.com/secretlint/secretlint
 */
async function matchSecretlintRules(text: string): Promise<readonly SecretSpan[]> {
  const found: SecretSpan[] = []
  for (const { meta, create } of SECRETLINT_RULES) {
    const kind = meta.id.replace(RULE_PREFIX, '')
    const report = ({ range: [start, end] }: { readonly range: readonly [number, number] }) => {
      found.push({ start, end, kind })
    }
    const rule = create({ createTranslator: () => () => undefined, report }, {})
    await rule.file({ content: text, filePath: 'text', ext: '' })
  }
  return found.sort((a, b) => a.start - b.start)
}
