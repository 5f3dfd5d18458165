/**
 * The patterns of secrets that secretlint's rules miss. Every pattern is linear: no run of characters can be split in two
 * ways. Formats are from the providers' documentation, November 2026.
 */

import type { TextSpan } from '../../text/span'
import { findAssigned, SECRET_NAMES } from './find-assigned'
import { hasLettersAndDigits, isPlaceholder } from './judge-value'
import PASSWORD_OPTIONS from './password-options.json' with { type: 'json' }
import PROVIDER_KEYS from './provider-keys.json' with { type: 'json' }

// Browsers and Node have it; the core is compiled without their types.
declare const atob: (text: string) => string

export interface SecretRule {
  readonly kind: string
  /** Global. The secret is group `secret`; without that group, the text of group `before` plus the match. */
  readonly pattern: RegExp
  /** False for a match that is not a secret; without it, every match is one. The source has its escapes. */
  readonly isSecret?: ((text: string, source: string) => boolean) | undefined
  /** The parts of a text that the pattern is for; without it, the whole text. */
  readonly within?: ((text: string) => readonly TextSpan[]) | undefined
}

export function rule(
  kind: string,
  pattern: RegExp,
  isSecret?: SecretRule['isSecret'],
  within?: SecretRule['within'],
): SecretRule {
  return { kind, pattern, isSecret, within }
}

/** A pattern, or the source of one for both cases; what stands for a secret is none. */
function assigned(
  pattern: RegExp | string,
  isSecret = (text: string, _source: string) => !isPlaceholder(text) && !text.startsWith('$'),
  within?: SecretRule['within'],
): SecretRule {
  const { source, flags } = new RegExp(pattern)
  return rule('assigned', new RegExp(source, flags || 'dgim'), isSecret, within)
}

/** Such as `process.env.TOKEN`. */
export const PROPERTY = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/
const PASSWORD = '(?:password|passwd|passphrase|secret)'
/** After a quote all up to the next one; else a word. */
const QUOTED_OR_WORD =
  '(?<secret>(?<=")[^"\\n]{1,200}(?=")|(?<=\')[^\'\\n]{1,200}(?=\')|(?<!["\'])[^\\s"\',}]{3,200})'

/** Commands that read a password or token from their input. */
const READERS =
  '(?:[A-Z_]{1,40}=\\S{1,100} )?sudo[^\\n|]{0,60} (?:-[A-Za-z]{0,3}S|--stdin)|[^\\n|]{1,100}--(?:password-stdin|with-token|stdin)|(?:sudo )?chpasswd'

export const ASSIGNED_RULES = [
  // https://docs.aws.amazon.com/cli/v1/userguide/cli-configure-files.html; secretlint's rule starts at the name
  assigned(
    /secret[_-]?(?:access[_-]?)?key["'`]?\]?[ \t]{0,20}(?::=|=>|[:=])[ \t]{0,20}["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![\w/+=])/dgi,
    (text) => /\d/.test(text) && /[A-Z]/i.test(text),
  ),
  // A name and a value beside each other: Kubernetes, JSON, XML
  assigned(
    `\\b(?:name|key)["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?[\\w.-]{0,64}?${PASSWORD}["']?,?\\s{0,60}["']?value["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?${QUOTED_OR_WORD}`,
  ),
  // https://developer.hashicorp.com/terraform/language/block/variable
  assigned(
    `\\bvariable[ \\t]{1,4}"[\\w-]{0,64}?${PASSWORD}"[ \\t]{0,4}\\{[^{}]{0,300}?\\bdefault[ \\t]{0,20}=[ \\t]{0,20}"(?<secret>[^"\\n]{1,200})"`,
  ),
  // https://developer.wordpress.org/advanced-administration/wordpress/wp-config
  assigned(
    `\\bdefine\\([ \\t]{0,4}["']\\w{0,64}?(?:${PASSWORD}|_KEY|_SALT)["'][ \\t]{0,4},[ \\t]{0,4}["']${QUOTED_OR_WORD}`,
  ),
  // https://man7.org/linux/man-pages/man5/crypt.5.html: hashes of passwords
  rule('assigned', /(?<![\w$])(?<secret>\$(?:1|2[abxy]|5|6|7|y|argon2id?)\$[\w./$=,+-]{20,300})/dg),
  // https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
  assigned(
    /\b(?:(?:machine\s{1,20}[^\s"']{1,200}|default)(?:\s{1,20}(?:login|account)\s{1,20}[^\s"']{1,200}){1,2}|machine\s{1,20}(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}))\s{1,20}password\s{1,20}"?(?<secret>(?<=")[^"\n]{1,200}(?=")|[^\s"']{1,200})/dg,
  ),
  // https://www.postgresql.org/docs/current/libpq-pgpass.html
  // A colon of the password has a backslash.
  assigned(
    /(?<![^\s"'])(?:[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}|\[[\da-f:]{2,45}\]|\*):(?:\d{2,5}|\*):(?!(?:tcp|udp):)(?:[A-Za-z_][\w-]{0,63}|\*):(?:[A-Za-z_][\w-]{0,63}|\*):(?<secret>[^\s"']{1,200})(?![^\s"'])/dg,
    (text, source) => text.split(':').length === source.split('\\:').length,
  ),
  // https://docs.docker.com/reference/cli/docker/login: base64 of name and password
  assigned(
    /\b_?auth["']?[ \t]{0,20}[:=][ \t]{0,20}["']?(?<secret>[A-Za-z0-9+/]{4,4000}={0,2})(?![\w+/=])/dg,
    (text) =>
      /^[\x20-\x39\x3b-\x7e\x80-\xff]+:[\x20-\x7e\x80-\xff]+$/.test(decodedStart(text, 400)),
  ),
  // In XML, SQL and the options of commands
  assigned(/<(?:password|passphrase|secret|apikey|token)>(?<secret>(?!\$?\{)[^<>\s]{1,400})<\//dgi),
  assigned(
    /\b(?:IDENTIFIED BY|WITH (?:ENCRYPTED )?PASSWORD)[ \t]{1,4}'(?<secret>[^'\n]{1,200})'/dgi,
  ),
  // Commands whose option has a password: -p is joined to it for MySQL, and separate for MongoDB
  assigned(
    /\b(?:mysql(?:dump|admin|import|show|check|slap|sh)?|mariadb(?:-dump|-admin)?)[ \t][^\n;&|]{0,200}?(?<=[ \t])-p["']?(?<secret>[^\s"'$]{2,200})/dg,
    (text) => !/^\d+:\d+$/.test(text),
  ),
  assigned(
    new RegExp(
      `\\b(?:${PASSWORD_OPTIONS.map(({ command, option }) => `${command}[ \\t](?:[^\\n;&|]{0,200}?[ \\t])?${option}`).join('|')})["']?(?<secret>(?<=")[^\\s"$,:}\\]][^"\\n$]{0,200}(?=")|(?<=')[^\\s'$,:}\\]][^'\\n$]{0,200}(?=')|[^\\s"'$;&|<>-][^\\s"'$]{0,200})`,
      'dg',
    ),
  ),
  // A password that another command reads
  assigned(
    new RegExp(
      `\\b(?:echo|printf)[ \\t](?:-[ne]{1,2}[ \\t])?["']?(?:[\\w.-]{1,64}:(?=[^\\n]{1,200}chpasswd))?(?<secret>(?<=")[^"\\n$|]{3,200}(?=")|(?<=')[^'\\n$|]{3,200}(?=')|[^\\s"'$|:]{3,400})\\s?["']?[ \\t]{0,4}\\|[ \\t]{0,4}(?:${READERS})`,
      'dg',
    ),
  ),
  assigned(
    new RegExp(`(?:${READERS})[^\\n|]{0,100}<<<[ \\t]{0,4}["']?(?<secret>[^\\s"'$]{3,400})`, 'dg'),
  ),
  assigned(
    /[ \t]--(?:[a-z]{1,20}-)?(?:password|passphrase|token|api-key|secret)[ \t]{1,4}["']?(?<secret>[^\s"'$<{[-][^\s"']{2,4000})/dg,
    (text) => /\d/.test(text),
  ),
  // fish, csh, cmd and Dockerfile: a name and a value with a space between
  assigned(
    `\\b(?:set[ \\t]{1,4}(?:-\\w{1,4}|--export)|setenv|setx|ENV)[ \\t]{1,4}\\w{0,64}?(?:${SECRET_NAMES}|_KEY)\\w{0,20}[ \\t]{1,4}["']?${QUOTED_OR_WORD}`,
  ),
  // https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring
  assigned(
    /\bConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?["'](?<secret>[^\s"'$][^"'\n]{0,200})["']/dgi,
  ),
  // What a prompt shows between brackets is its default.
  assigned(
    /\b(?:key|token|password|passphrase)[ \t]\[[^\]\n]{0,60}\]:[ \t]{1,4}(?<secret>[^\s"']{8,4000})/dgi,
  ),
  // A name and a password as arguments of a call
  assigned(
    /(?:\bauth[ \t]{0,4}=[ \t]{0,4}|BasicAuth|NetworkCredential|\b(?:smtp|server|client|mail|imap)\w{0,20}\.login)\([ \t]{0,4}["'][^"'\n]{1,100}["'][ \t]{0,4},[ \t]{0,4}["'](?<secret>[^"'\n]{3,200})["']/dg,
    (text) => !isPlaceholder(text) && !/^pass(?:word|wd)?$/i.test(text),
  ),
  // The value beside a name in a call, and the one for a name without a value
  assigned(
    `(?:${SECRET_NAMES}|_key)[\\w.]{0,20}(?:["'](?<=\\([ \\t]{0,4}["'][\\w.-]{1,80}["'])[ \\t]{0,4},|["']?[\\])]{0,2}[ \\t]{0,4}(?:\\|\\||\\?\\?|\\?:|\\bor\\b))[ \\t]{0,4}(?:default[ \\t]{0,4}=[ \\t]{0,4})?["'](?<secret>[^\\s"']{8,4000})["'](?![ \\t]{0,4}[:\\]])`,
    (text) => hasLettersAndDigits(text) && !isPlaceholder(text) && !PROPERTY.test(text),
  ),
  // A value of several lines in a .env
  assigned(
    /^(?:export[ \t])?[A-Z0-9_]{0,64}?(?:PASSWORD|SECRET|TOKEN|KEY|CREDENTIALS?)[A-Z0-9_]{0,20}=(["'])(?<secret>[^"'\n]{1,400}(?:\n(?![A-Z_]{2,64}=)[^"'\n]{0,400}){1,40})\1[ \t]{0,4}$/dgm,
  ),
  // https://kubernetes.io/docs/concepts/configuration/secret
  assigned(
    /[\w.-]["']?:[ \t]{0,4}["']?(?<secret>[^\s"'{},|>&$][^\s"'{},]{3,4000})/dg,
    undefined,
    kubernetesSecrets,
  ),
]

/** The spans of what a manifest of the kind `Secret` contains. */
function kubernetesSecrets(text: string): readonly TextSpan[] {
  const data =
    /^([ \t]{0,8})(?:stringD|d)ata:[ \t]*\n(?:\1[ \t]+\S.*\n?)+|"(?:stringD|d)ata":\s*\{[^{}]*\}/gm
  return [...text.matchAll(data)]
    .map(({ index, 0: block }) => ({ start: index, end: index + block.length }))
    .filter(({ start, end }) =>
      /\bkind["']?:[ \t]*["']?Secret\b/.test(
        `${text.slice(Math.max(0, start - 1_000), start)}\n${text.slice(end, end + 1_000)}`,
      ),
    )
}

/** What the first digits of base64 stand for, a byte a character. */
export function decodedStart(text: string, most: number): string {
  const digits = text.replace(/[\r\n=]/g, '').slice(0, most)
  // A digit alone at the end has no byte.
  return atob(digits.slice(0, digits.length % 4 === 1 ? -1 : undefined))
}

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
