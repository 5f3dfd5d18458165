/**
 * Secrets the well-kept rules do not look for, each pattern linear: one run of characters without a choice of how to
 * split it. Shapes as their makers document them, read November 2026.
 */
import type { Span } from '../../text/span'

export const OWN_KINDS = [
  'anthropic',
  'openai',
  'google',
  'aws',
  'github',
  'stripe',
  'xai',
  'groq',
  'jwt',
  'bearer',
  'private_key',
  'url_password',
  'email',
] as const

export type OwnKind = (typeof OWN_KINDS)[number]

export interface OwnFinding extends Span {
  readonly kind: OwnKind
}

interface Rule {
  readonly kind: OwnKind
  /** Global; what is secret of a match is its group `secret`, or all of it. */
  readonly pattern: RegExp
}

/** A key is not the tail of a longer word. */
const START = '(?<![A-Za-z0-9_-])'

const KEY_LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'
const KEY_BODY = '[\\w+/=:,. \\t\\r\\n-]'

const RULES: readonly Rule[] = [
  // https://docs.anthropic.com/en/api/admin-api/apikeys: sk-ant-api03-, sk-ant-admin01-
  { kind: 'anthropic', pattern: new RegExp(`${START}sk-ant-[\\w-]{20,}`, 'g') },
  // https://platform.openai.com/docs/api-reference/authentication: sk-, sk-proj-, sk-svcacct-; others follow it
  { kind: 'openai', pattern: new RegExp(`${START}sk-(?!ant-)[\\w-]{20,}`, 'g') },
  // https://cloud.google.com/docs/authentication/api-keys
  { kind: 'google', pattern: new RegExp(`${START}AIza[\\w-]{35}`, 'g') },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  { kind: 'aws', pattern: new RegExp(`${START}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`, 'g') },
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  {
    kind: 'github',
    pattern: new RegExp(`${START}(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{22,})`, 'g'),
  },
  // https://docs.stripe.com/keys
  { kind: 'stripe', pattern: new RegExp(`${START}[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`, 'g') },
  // https://docs.x.ai/docs/overview
  { kind: 'xai', pattern: new RegExp(`${START}xai-[A-Za-z0-9]{40,}`, 'g') },
  // https://console.groq.com/docs/quickstart
  { kind: 'groq', pattern: new RegExp(`${START}gsk_[A-Za-z0-9]{40,}`, 'g') },
  // RFC 7519: two JSON objects in base64url, and a signature
  {
    kind: 'jwt',
    pattern: new RegExp(`${START}eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}`, 'g'),
  },
  // RFC 6750
  { kind: 'bearer', pattern: /\bBearer[ \t]{1,4}(?<secret>[\w.~+/-]{16,}=*)/gi },
  // RFC 7468, OpenSSH and PGP; one that is cut off goes as far as it may
  {
    kind: 'private_key',
    pattern: new RegExp(
      `-----BEGIN ${KEY_LABEL}-----(?:${KEY_BODY}*?-----END ${KEY_LABEL}-----|${KEY_BODY}*)`,
      'g',
    ),
  },
  // RFC 3986, user information
  {
    kind: 'url_password',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#:@"'<>]{0,200}:(?<secret>[^\s/?#@"'<>]{1,200})@/gi,
  },
  // RFC 5321, as written in practice
  {
    kind: 'email',
    pattern:
      /(?<![\w.+%-])[\w.+%-]{0,63}[A-Za-z0-9]@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w(-])/g,
  },
]

/** What these rules find in a text, in ascending order; findings of two rules may overlap. */
export function findByOwnRules(text: string): readonly OwnFinding[] {
  return RULES.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match): OwnFinding => {
      const secret = match.groups?.secret ?? match[0]
      const start = match.index + match[0].indexOf(secret, secret === match[0] ? 0 : 1)
      return { kind, start, end: start + secret.length }
    }),
  ).sort((a, b) => a.start - b.start)
}
