/**
 * Patterns of secrets that secretlint's rules miss. Every pattern is linear: no run of characters can be split in two
 * ways. Formats are from the providers' documentation, November 2026.
 */
import type { Span } from '../../text/span'
import { ASSIGNED_RULES } from './assigned-patterns'
import type { PatternKind, SecretRule } from './secret-rule'
import type { UnescapedText } from './unescape-text'

export interface PatternMatch extends Span {
  readonly kind: PatternKind
}

/** A key does not start inside a word. */
const START = '(?<![A-Za-z0-9_-])'

const KEY_LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'
const HEADER = '\\b(?:proxy-)?authorization["\'`]?[ \\t]{0,4}[:=][ \\t]{0,4}["\'`]?'
/** Such as `process.env.TOKEN`. */
const PROPERTY = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/

const KEY_END = `-----END ${KEY_LABEL}-----`
const KEY_BODY = '[\\w+/=:,. \\t\\r\\n-]'

const RULES: readonly SecretRule[] = [
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
  {
    kind: 'stripe',
    pattern: new RegExp(
      `${START}(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})`,
      'g',
    ),
  },
  // https://docs.slack.dev/authentication/tokens: secretlint's rule ends before the last part
  { kind: 'bearer', pattern: new RegExp(`${START}xapp-\\d-[A-Z0-9]+-\\d+-[a-f0-9]{32,}`, 'g') },
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
  { kind: 'azure', pattern: /\bAccountKey=(?<secret>[\w+/]{80,90}={0,2})/dg },
  // https://learn.microsoft.com/azure/storage/common/storage-sas-overview
  { kind: 'azure', pattern: /[?&;]sig=(?<secret>[\w%+/-]{20,}={0,2})/dg },
  // https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate
  {
    kind: 'azure',
    pattern: new RegExp(
      `${START}(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9_-])`,
      'g',
    ),
    isSecret: (text) => /\d/.test(text) && /[a-z]/i.test(text),
  },
  // https://docs.discord.com/developers/reference: the first part is a number in base64
  {
    kind: 'discord',
    pattern: new RegExp(
      `${START}(?:[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,40}|mfa\\.[\\w-]{80,})`,
      'g',
    ),
  },
  { kind: 'discord', pattern: /\/api\/webhooks\/\d{15,20}\/(?<secret>[\w-]{60,})/dg },
  // https://vercel.com/docs/sign-in-with-vercel/tokens
  { kind: 'vercel', pattern: new RegExp(`${START}vc[a-z]_[A-Za-z0-9]{20,}`, 'g') },
  // https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/api-keys
  {
    kind: 'mailgun',
    pattern: new RegExp(
      `${START}(?:(?:pub)?key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])`,
      'g',
    ),
  },
  // https://age-encryption.org/v1
  { kind: 'age', pattern: new RegExp(`${START}AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}`, 'gi') },
  // https://docs.doppler.com/reference/auth-token-formats
  {
    kind: 'doppler',
    pattern: new RegExp(
      `${START}dp\\.(?:pt|st|ct|sa|scim|audit|said)\\.(?:[a-z0-9_-]{2,40}\\.)?[A-Za-z0-9]{40,48}`,
      'g',
    ),
  },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp.html: starts with its region in base64
  {
    kind: 'aws',
    pattern: new RegExp(`${START}(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[\\w+/%-]{60,}={0,2}`, 'g'),
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
  { kind: 'aws', pattern: /[?&]X-Amz-Signature=(?<secret>[a-f0-9]{64})/dgi },
  // RFC 6265: the complete header, in which a value may have quotes
  {
    kind: 'cookie',
    pattern:
      /\b(?:Set-)?Cookie["']?[ \t]{0,4}[:=][ \t]{0,4}["'`[]{0,2}(?<secret>[\w!#$%&*+.^|~-]{1,200}=(?:[^\s"'`;]{1,4000}|"[^"\n]{1,4000}"(?=[;\s]))(?:(?:[^\n"'`]|="[^"\n]{1,4000}"(?=[;\s]))*[^\s"'`])?)/dgi,
    isSecret: (text) => !/^[\w.-]+=(?:\$\{|\{|<|\*)/.test(text),
  },
  // RFC 7519: two JSON objects in base64url, and a signature
  {
    kind: 'jwt',
    pattern: new RegExp(`${START}eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{10,}`, 'g'),
  },
  // RFC 6750
  { kind: 'bearer', pattern: /\bBearer[ \t]{1,4}(?<secret>[\w.~+/-]{16,}=*)/dgi },
  // RFC 9110: a header with any scheme, or none
  {
    kind: 'bearer',
    pattern: new RegExp(
      `${HEADER}(?!Basic\\b|Digest\\b|AWS4)(?:[A-Za-z][\\w-]{1,20}[ \\t]{1,4})?(?<secret>[\\w.~+/-]{16,4000}={0,2})(?![\\w.~+/-])`,
      'dgi',
    ),
    isSecret: (text) => /\d/.test(text) && !PROPERTY.test(text),
  },
  // RFC 6750: in a header, a short token too
  {
    kind: 'bearer',
    pattern: new RegExp(
      `${HEADER}Bearer[ \\t]{1,4}(?<secret>[\\w.~+/-]{8,4000}={0,2})(?![\\w.~+/-])`,
      'dgi',
    ),
    isSecret: (text) => !PROPERTY.test(text) && !/^(?:auth|credential)\w*$/i.test(text),
  },
  // RFC 7617, in a header as written in code
  {
    kind: 'basic',
    pattern: /\bauthorization["'\s:=]{1,8}Basic[ \t]{1,4}(?<secret>[\w+/*-]{6,}={0,2})/dgi,
  },
  // https://curl.se/docs/manpage.html#-u
  {
    kind: 'basic',
    pattern:
      /\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?<secret>[^\s"']{3,100})/dg,
  },
  // RFC 7468, OpenSSH and PGP; a truncated key extends as far as its characters
  {
    kind: 'private_key',
    pattern: new RegExp(
      `-----BEGIN ${KEY_LABEL}-----(?:${KEY_BODY}*?-----END ${KEY_LABEL}-----|${KEY_BODY}*)`,
      'g',
    ),
  },
  // The end of a key whose first line is not in the text; read backwards from its last line
  {
    kind: 'private_key',
    pattern: new RegExp(
      `${KEY_END}(?<=(?<before>(?:[\\w+/=]{40,76}\\s{1,4}){0,400}[\\w+/=]{20,76}\\s{1,4}(?:[\\w+/=]{1,76}\\s{1,4})?)${KEY_END})`,
      'g',
    ),
  },
  // RFC 3986, user information
  {
    kind: 'url_password',
    pattern:
      /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#:@"'<>]{0,200}:(?<secret>[^\s/?#"'<>]{1,200})@/dgi,
  },
  {
    kind: 'cookie',
    pattern:
      /\bcurl\b[^\n]{0,200}?[ \t](?:-b|--cookie)[ =]["']?(?<secret>[\w.-]{1,200}=[^\n"']{1,4000})/dg,
  },
  // https://curl.se/docs/http-cookies.html: the file of a browser's cookies
  {
    kind: 'cookie',
    pattern:
      /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,200}\t(?<secret>[^\s"']{4,4000})/dg,
  },
  // RFC 5321 and 6531, as written in practice
  {
    kind: 'email',
    // Starts at the @, in both directions: trying it at every letter would take as long as all
    // other patterns together.
    pattern:
      /@(?<=(?<before>[\p{L}\p{N}_.+%-]{0,63}[\p{L}\p{N}])@)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_(-])/gu,
  },
]

/** Returns the matches in a text, in ascending order. Matches of different patterns may overlap. */
export function matchSecretPatterns(
  source: string,
  { text, sourceOf }: UnescapedText,
): readonly PatternMatch[] {
  const written = (span: Span) => {
    const { start, end } = sourceOf(span)
    return source.slice(start, end)
  }
  return [...RULES, ...ASSIGNED_RULES]
    .flatMap(({ kind, pattern, isSecret }) =>
      [...text.matchAll(pattern)].flatMap((match): PatternMatch[] => {
        const before = match.groups?.before ?? ''
        const secret = match.groups?.secret ?? before + match[0]
        const [start] = match.indices?.groups?.secret ?? [match.index - before.length]
        const span = { start, end: start + secret.length }
        return isSecret?.(secret, written(span)) === false ? [] : [{ kind, ...span }]
      }),
    )
    .sort((a, b) => a.start - b.start)
}
