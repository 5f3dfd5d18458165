/**
 * The patterns of secrets that secretlint's rules miss. Every pattern is linear: no run of characters can be split in two
 * ways. Formats are from the providers' documentation, November 2026.
 */
import { ASSIGNED_RULES, decodedStart, PROPERTY, rule, type SecretRule } from './assigned-rules'
import { findAssigned } from './find-assigned'
import PROVIDER_KEYS from './provider-keys.json' with { type: 'json' }

/** A key, which does not start inside a word. */
function key(kind: string, source: string, flags = '', isSecret?: SecretRule['isSecret']) {
  return rule(kind, new RegExp(`(?<![A-Za-z0-9_-])${source}`, `${flags}g`), isSecret)
}

const KEY_LABEL = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?'
const KEY_END = `-----END ${KEY_LABEL}-----`
const KEY_BODY = '[\\w+/=:,. \\t\\r\\n-]'
const HEADER = '\\b(?:proxy-)?authorization["\'`]?[ \\t]{0,4}[:=][ \\t]{0,4}["\'`]?'

export const SECRET_RULES: readonly SecretRule[] = [
  ...PROVIDER_KEYS.map(({ kind, key: source, pattern, flags = '' }) =>
    source === undefined ? rule(kind, new RegExp(pattern, `dg${flags}`)) : key(kind, source, flags),
  ),
  // https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate
  key(
    'azure',
    '(?:[a-z2-7]{52}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9_-])',
    '',
    (text) => /\d/.test(text) && /[a-z]/i.test(text),
  ),
  // RFC 6265: the complete header, in which a value may have quotes
  rule(
    'cookie',
    /\b(?:Set-)?Cookie["']?[ \t]{0,4}[:=][ \t]{0,4}["'`[]{0,2}(?<secret>[\w!#$%&*+.^|~-]{1,200}=(?:[^\s"'`;]{1,4000}|"[^"\n]{1,4000}"(?=[;\s]))(?:(?:[^\n"'`]|="[^"\n]{1,4000}"(?=[;\s]))*[^\s"'`])?)/dgi,
    (text) => !/^[\w.-]+=(?:\$\{|\{|<|\*)/.test(text),
  ),
  // RFC 7519: two JSON objects in base64url, and a signature
  key('jwt', '(?:eyJ[\\w-]{10,}\\.){2}[\\w-]{10,}'),
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
  return (
    findAssigned(decoded, () => undefined).length > 0 ||
    SECRET_RULES.some(
      ({ kind, pattern, isSecret }) =>
        kind !== 'email' && isSecret === undefined && decoded.search(pattern) !== -1,
    )
  )
}
