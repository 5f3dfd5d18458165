/**
 * The patterns of secrets that secretlint's rules miss. Every pattern is linear: no run of characters can be split in two
 * ways. Formats are from the providers' documentation, November 2026.
 */
import { ASSIGNED_RULES, decodedStart, PROPERTY, rule, type SecretRule } from './assigned-rules'
import { findAssigned } from './find-assigned'

/** A key, which does not start inside a word. */
function key<Kind extends string>(
  kind: Kind,
  { source, flags }: RegExp,
  isSecret?: SecretRule['isSecret'],
): SecretRule<Kind> {
  return rule(kind, new RegExp(`(?<![A-Za-z0-9_-])${source}`, `${flags}g`), isSecret)
}

const KEY_LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'
const KEY_END = `-----END ${KEY_LABEL}-----`
const KEY_BODY = '[\\w+/=:,. \\t\\r\\n-]'
const HEADER = '\\b(?:proxy-)?authorization["\'`]?[ \\t]{0,4}[:=][ \\t]{0,4}["\'`]?'

export const SECRET_RULES = [
  // https://docs.anthropic.com/en/api/admin-api/apikeys: sk-ant-api03-, sk-ant-admin01-
  key('anthropic', /sk-ant-[\w-]{20,}/),
  // https://platform.openai.com/docs/api-reference/authentication: sk-, sk-proj-, sk-svcacct-; others follow it
  key('openai', /sk-(?!ant-)[\w-]{20,}/),
  // https://cloud.google.com/docs/authentication/api-keys
  key('google', /AIza[\w-]{35}/),
  // https://developers.google.com/identity/protocols/oauth2: a client's secret, and access tokens
  key('google', /(?:GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  key('aws', /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/),
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  key('github', /(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/),
  // https://docs.stripe.com/keys
  key('stripe', /(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})/),
  // https://docs.slack.dev/authentication/tokens: secretlint's rule ends before the last part
  key('bearer', /xapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}/),
  // https://docs.x.ai/docs/overview
  key('xai', /xai-[A-Za-z0-9]{40,}/),
  // https://console.groq.com/docs/quickstart
  key('groq', /gsk_[A-Za-z0-9]{40,}/),
  // https://huggingface.co/docs/hub/security-tokens
  key('huggingface', /hf_[A-Za-z0-9]{30,}/),
  // https://docs.langchain.com/langsmith/create-account-api-key
  key('langsmith', /lsv2_(?:pt|sk)_[a-f0-9]{32}(?:_[a-f0-9]{10})?/),
  // https://docs.api.nvidia.com
  key('nvidia', /nvapi-[\w-]{40,}/),
  // https://docs.perplexity.ai
  key('perplexity', /pplx-[A-Za-z0-9]{32,}/),
  // https://replicate.com/docs/topics/security/api-tokens
  key('replicate', /r8_[A-Za-z0-9]{30,}/),
  // https://docs.tavily.com
  key('tavily', /tvly-[A-Za-z0-9-]{20,}/),
  // https://docs.fireworks.ai
  key('fireworks', /fw_[A-Za-z0-9]{22,}/),
  // https://pypi.org/help/#apitoken
  key('pypi', /pypi-AgE[\w-]{50,}/),
  // https://docs.digitalocean.com/reference/api/create-personal-access-token
  key('digitalocean', /do[opr]_v1_[a-f0-9]{64}/),
  // https://www.twilio.com/docs/iam/api-keys
  key('twilio', /SK[a-f0-9]{32}(?![A-Za-z0-9])/),
  // https://core.telegram.org/bots/api#authorizing-your-bot
  key('telegram', /\d{8,10}:AA[\w-]{33}(?![\w-])/),
  // https://developers.notion.com
  key('notion', /(?:ntn|secret)_[A-Za-z0-9]{40,}/),
  // https://supabase.com/docs/reference/api
  key('supabase', /sbp_[a-f0-9]{40}/),
  // https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account
  key('atlassian', /ATATT3[\w-]{60,}=?[A-F0-9]{0,8}/),
  // https://docs.sentry.io/account/auth-tokens
  key('sentry', /sntry[su]_[\w+/.-]{40,}=*/),
  // https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string
  rule('azure', /\bAccountKey=(?<secret>[\w+/]{80,90}={0,2})/dg),
  // https://learn.microsoft.com/azure/storage/common/storage-sas-overview
  rule('azure', /[?&;]sig=(?<secret>[\w%+/-]{20,}={0,2})/dg),
  // https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate
  key(
    'azure',
    /(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9_-])/,
    (text) => /\d/.test(text) && /[a-z]/i.test(text),
  ),
  // https://docs.discord.com/developers/reference: the first part is a number in base64
  key('discord', /(?:[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}|mfa\.[\w-]{80,})/),
  rule('discord', /\/api\/webhooks\/\d{15,20}\/(?<secret>[\w-]{60,})/dg),
  // https://vercel.com/docs/sign-in-with-vercel/tokens
  key('vercel', /vc[a-z]_[A-Za-z0-9]{20,}/),
  // https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/api-keys
  key(
    'mailgun',
    /(?:(?:pub)?key-[a-f0-9]{32}|[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8})(?![A-Za-z0-9-])/,
  ),
  // https://age-encryption.org/v1
  key('age', /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{40,}/i),
  // https://docs.doppler.com/reference/auth-token-formats
  key('doppler', /dp\.(?:pt|st|ct|sa|scim|audit|said)\.(?:[a-z0-9_-]{2,40}\.)?[A-Za-z0-9]{40,48}/),
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp.html: starts with its region in base64
  key('aws', /(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[\w+/%-]{60,}={0,2}/),
  // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
  rule('aws', /[?&]X-Amz-Signature=(?<secret>[a-f0-9]{64})/dgi),
  // https://cloud.google.com/storage/docs/authentication/signatures,
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-creating-signed-url-canned-policy.html
  rule('assigned', /[?&;](?:X-Goog-)?Signature=(?<secret>[\w%+/~-]{20,2000}={0,2})/dgi),
  // RFC 6265: the complete header, in which a value may have quotes
  rule(
    'cookie',
    /\b(?:Set-)?Cookie["']?[ \t]{0,4}[:=][ \t]{0,4}["'`[]{0,2}(?<secret>[\w!#$%&*+.^|~-]{1,200}=(?:[^\s"'`;]{1,4000}|"[^"\n]{1,4000}"(?=[;\s]))(?:(?:[^\n"'`]|="[^"\n]{1,4000}"(?=[;\s]))*[^\s"'`])?)/dgi,
    (text) => !/^[\w.-]+=(?:\$\{|\{|<|\*)/.test(text),
  ),
  // RFC 7519: two JSON objects in base64url, and a signature
  key('jwt', /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/),
  // RFC 6750
  rule('bearer', /\bBearer[ \t]{1,4}(?<secret>[\w.~+/-]{16,}=*)/dgi),
  // RFC 9110: a header with any scheme, or none
  rule(
    'bearer',
    new RegExp(
      `${HEADER}(?!Basic\\b|Digest\\b|AWS4)(?:[A-Za-z][\\w-]{1,20}[ \\t]{1,4})?(?<secret>[\\w.~+/-]{16,4000}={0,2})(?![\\w.~+/-])`,
      'dgi',
    ),
    (text) => /\d/.test(text) && !PROPERTY.test(text),
  ),
  // RFC 6750: in a header, a short token too
  rule(
    'bearer',
    new RegExp(
      `${HEADER}Bearer[ \\t]{1,4}(?<secret>[\\w.~+/-]{8,4000}={0,2})(?![\\w.~+/-])`,
      'dgi',
    ),
    (text) => !PROPERTY.test(text) && !/^(?:auth|credential)\w*$/i.test(text),
  ),
  // RFC 7617, in a header as written in code
  rule('basic', /\bauthorization["'\s:=]{1,8}Basic[ \t]{1,4}(?<secret>[\w+/*-]{6,}={0,2})/dgi),
  // https://curl.se/docs/manpage.html#-u
  rule(
    'basic',
    /\b(?:curl|https?)[ \t][^\n]{0,200}?(?<=[ \t])(?:-u|--user|-a|--auth)[ =]["']?[^\s:"']{1,64}:(?<secret>[^\s"']{3,100})/dg,
  ),
  // RFC 7468, OpenSSH and PGP; a truncated key extends as far as its characters
  rule(
    'private_key',
    new RegExp(
      `-----BEGIN ${KEY_LABEL}-----(?:${KEY_BODY}*?-----END ${KEY_LABEL}-----|${KEY_BODY}*)`,
      'g',
    ),
  ),
  // The end of a key whose first line is not in the text; read backwards from its last line
  rule(
    'private_key',
    new RegExp(
      `${KEY_END}(?<=(?<before>(?:[\\w+/=]{40,76}\\s{1,4}){0,400}[\\w+/=]{20,76}\\s{1,4}(?:[\\w+/=]{1,76}\\s{1,4})?)${KEY_END})`,
      'g',
    ),
  ),
  // RFC 3986, user information
  rule(
    'url_password',
    /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#:@"'<>]{0,200}:(?<secret>[^\s/?#"'<>]{1,200})@/dgi,
  ),
  rule(
    'cookie',
    /\bcurl\b[^\n]{0,200}?[ \t](?:-b|--cookie)[ =]["']?(?<secret>[\w.-]{1,200}=[^\n"']{1,4000})/dg,
  ),
  // https://curl.se/docs/http-cookies.html: the file of a browser's cookies
  rule(
    'cookie',
    /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,200}\t(?<secret>[^\s"']{4,4000})/dg,
  ),
  // RFC 5321 and 6531, as written in practice
  // Starts at the @, in both directions: trying it at every letter would take as long as all
  // other patterns together.
  rule(
    'email',
    /@(?<=(?<before>[\p{L}\p{N}_.+%-]{0,63}[\p{L}\p{N}])@)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_(-])/gu,
  ),
  ...ASSIGNED_RULES,
  // Files in base64, in lines too
  rule(
    'assigned',
    /(?<![\w+/])(?:[A-Za-z0-9+/]{60,76}\r?\n){0,400}[A-Za-z0-9+/]{16,}={0,2}/g,
    isSecretInBase64,
  ),
]

/** True if a text is base64 of a private key, an address with a password, or assigned secrets. */
function isSecretInBase64(text: string): boolean {
  const decoded = decodedStart(text, 4_000)
  if (/[^\s\x20-\x7e]/.test(decoded.slice(0, 100))) return false
  const patterns: readonly SecretRule[] = SECRET_RULES
  return (
    findAssigned(decoded, () => undefined).length > 0 ||
    patterns.some(
      ({ kind, pattern, isSecret }) =>
        kind !== 'email' && isSecret === undefined && decoded.search(pattern) !== -1,
    )
  )
}
