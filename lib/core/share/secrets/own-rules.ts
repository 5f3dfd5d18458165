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
  'huggingface',
  'langsmith',
  'nvidia',
  'perplexity',
  'replicate',
  'tavily',
  'fireworks',
  'pypi',
  'digitalocean',
  'twilio',
  'telegram',
  'notion',
  'supabase',
  'atlassian',
  'sentry',
  'azure',
  'jwt',
  'bearer',
  'basic',
  'private_key',
  'url_password',
  'assigned',
  'email',
] as const

export type OwnKind = (typeof OWN_KINDS)[number]

export interface OwnFinding extends Span {
  readonly kind: OwnKind
}

interface Rule {
  readonly kind: OwnKind
  /** Global; what is secret of a match is its group `secret`, or all of it with its group `before`. */
  readonly pattern: RegExp
}

/** A key is not the tail of a longer word. */
const START = '(?<![A-Za-z0-9_-])'

const KEY_LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'
const KEY_BODY = '[\\w+/=:,. \\t\\r\\n-]'

/** What a value in a program or a config may hold before it ends; code has brackets, dots and dollars. */
const ASSIGNED = '[\\w!@#%^*+=/~-]'

const RULES: readonly Rule[] = [
  // https://docs.anthropic.com/en/api/admin-api/apikeys: sk-ant-api03-, sk-ant-admin01-
  { kind: 'anthropic', pattern: new RegExp(`${START}sk-ant-[\\w-]{20,}`, 'g') },
  // https://platform.openai.com/docs/api-reference/authentication: sk-, sk-proj-, sk-svcacct-; others follow it
  { kind: 'openai', pattern: new RegExp(`${START}sk-(?!ant-)[\\w-]{20,}`, 'g') },
  // https://cloud.google.com/docs/authentication/api-keys
  { kind: 'google', pattern: new RegExp(`${START}AIza[\\w-]{35}`, 'g') },
  // https://developers.google.com/identity/protocols/oauth2: a client's secret, and access tokens
  { kind: 'google', pattern: new RegExp(`${START}(?:GOCSPX-[\\w-]{20,}|ya29\\.[\\w-]{20,})`, 'g') },
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
  // https://huggingface.co/docs/hub/security-tokens
  { kind: 'huggingface', pattern: new RegExp(`${START}hf_[A-Za-z0-9]{30,}`, 'g') },
  // https://docs.langchain.com/langsmith/create-account-api-key
  {
    kind: 'langsmith',
    pattern: new RegExp(`${START}lsv2_(?:pt|sk)_[a-f0-9]{32}(?:_[a-f0-9]{10})?`, 'g'),
  },
  // https://docs.api.nvidia.com
  { kind: 'nvidia', pattern: new RegExp(`${START}nvapi-[\\w-]{40,}`, 'g') },
  // https://docs.perplexity.ai
  { kind: 'perplexity', pattern: new RegExp(`${START}pplx-[A-Za-z0-9]{32,}`, 'g') },
  // https://replicate.com/docs/topics/security/api-tokens
  { kind: 'replicate', pattern: new RegExp(`${START}r8_[A-Za-z0-9]{30,}`, 'g') },
  // https://docs.tavily.com
  { kind: 'tavily', pattern: new RegExp(`${START}tvly-[A-Za-z0-9-]{20,}`, 'g') },
  // https://docs.fireworks.ai
  { kind: 'fireworks', pattern: new RegExp(`${START}fw_[A-Za-z0-9]{22,}`, 'g') },
  // https://pypi.org/help/#apitoken
  { kind: 'pypi', pattern: new RegExp(`${START}pypi-AgE[\\w-]{50,}`, 'g') },
  // https://docs.digitalocean.com/reference/api/create-personal-access-token
  { kind: 'digitalocean', pattern: new RegExp(`${START}do[opr]_v1_[a-f0-9]{64}`, 'g') },
  // https://www.twilio.com/docs/iam/api-keys
  { kind: 'twilio', pattern: new RegExp(`${START}SK[a-f0-9]{32}(?![A-Za-z0-9])`, 'g') },
  // https://core.telegram.org/bots/api#authorizing-your-bot
  { kind: 'telegram', pattern: new RegExp(`${START}\\d{8,10}:AA[\\w-]{33}(?![\\w-])`, 'g') },
  // https://developers.notion.com
  { kind: 'notion', pattern: new RegExp(`${START}(?:ntn|secret)_[A-Za-z0-9]{40,}`, 'g') },
  // https://supabase.com/docs/reference/api
  { kind: 'supabase', pattern: new RegExp(`${START}sbp_[a-f0-9]{40}`, 'g') },
  // https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account
  { kind: 'atlassian', pattern: new RegExp(`${START}ATATT3[\\w-]{60,}=?[A-F0-9]{0,8}`, 'g') },
  // https://docs.sentry.io/account/auth-tokens
  { kind: 'sentry', pattern: new RegExp(`${START}sntry[su]_[\\w+/.-]{40,}=*`, 'g') },
  // https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
  { kind: 'azure', pattern: /\bAccountKey=(?<secret>[\w+/]{80,90}={0,2})/g },
  // RFC 7519: two JSON objects in base64url, and a signature
  {
    kind: 'jwt',
    pattern: new RegExp(`${START}eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}`, 'g'),
  },
  // RFC 6750
  { kind: 'bearer', pattern: /\bBearer[ \t]{1,4}(?<secret>[\w.~+/-]{16,}=*)/gi },
  // RFC 7617, in a header as programs write it
  {
    kind: 'basic',
    pattern: /\bauthorization["'\s:=]{1,8}Basic[ \t]{1,4}(?<secret>[\w+/*-]{6,}={0,2})/gi,
  },
  // https://curl.se/docs/manpage.html#-u
  {
    kind: 'basic',
    pattern:
      /\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?<secret>[^\s"']{3,100})/g,
  },
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
  // What a name says to be a secret, where it looks like one: letters and digits, no word of a program.
  {
    kind: 'assigned',
    pattern: new RegExp(
      `(?:password|passwd|passphrase|secret|(?:api|access|secret|private|auth)[_-]?key|(?:access|refresh|auth|api|bot)[_-]?token)["']?[ \\t]{0,3}[:=][ \\t]{0,3}["']?(?=[^\\s"']{0,80}\\d)(?=[^\\s"']{0,80}[A-Za-z])(?<secret>${ASSIGNED}{8,200})(?!${ASSIGNED}|[.([])`,
      'gi',
    ),
  },
  // RFC 5321 and 6531, as written in practice
  {
    kind: 'email',
    // From the @ on, back and forth: tried at every letter it would take as long as all others together.
    pattern:
      /@(?<=(?<before>[\p{L}\p{N}_.+%-]{0,63}[\p{L}\p{N}])@)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_(-])/gu,
  },
]

/** What these rules find in a text, in ascending order; findings of two rules may overlap. */
export function findByOwnRules(text: string): readonly OwnFinding[] {
  return RULES.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map((match): OwnFinding => {
      const before = match.groups?.before ?? ''
      const secret = match.groups?.secret ?? before + match[0]
      const start =
        match.groups?.secret === undefined
          ? match.index - before.length
          : match.index + match[0].indexOf(secret, 1)
      return { kind, start, end: start + secret.length }
    }),
  ).sort((a, b) => a.start - b.start)
}
