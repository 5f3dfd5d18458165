/** Patterns of passwords by what is around them: files, commands, XML and SQL. */
import { isPlaceholder } from './judge-value'
import type { SecretRule } from './secret-rule'

const PASSWORD = '(?:password|passwd|passphrase|secret)'
/** After a quote all up to the next one; else a word. */
const QUOTED_OR_WORD =
  '(?<secret>(?<=")[^"\\n]{1,200}(?=")|(?<=\')[^\'\\n]{1,200}(?=\')|(?<!["\'])[^\\s"\',}]{3,200})'

export const ASSIGNED_RULES: readonly SecretRule[] = [
  // https://docs.aws.amazon.com/cli/v1/userguide/cli-configure-files.html; secretlint's rule starts at the name
  {
    kind: 'assigned',
    pattern:
      /secret[_-]?(?:access[_-]?)?key["'`]?\]?[ \t]{0,20}(?::=|=>|[:=])[ \t]{0,20}["'`]?(?<secret>[A-Za-z0-9/+]{40})(?![\w/+=])/dgi,
    isSecret: (text) => /\d/.test(text) && /[A-Z]/i.test(text),
  },
  // A name and a value beside each other: Kubernetes, JSON, XML
  {
    kind: 'assigned',
    pattern: new RegExp(
      `\\b(?:name|key)["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?[\\w.-]{0,64}?${PASSWORD}["']?,?\\s{0,60}["']?value["']?[ \\t]{0,4}[:=][ \\t]{0,4}["']?${QUOTED_OR_WORD}`,
      'dgi',
    ),
    isSecret: (text) => !isPlaceholder(text) && !text.startsWith('$'),
  },
  // https://developer.hashicorp.com/terraform/language/block/variable
  {
    kind: 'assigned',
    pattern: new RegExp(
      `\\bvariable[ \\t]{1,4}"[\\w-]{0,64}?${PASSWORD}"[ \\t]{0,4}\\{[^{}]{0,300}?\\bdefault[ \\t]{0,20}=[ \\t]{0,20}"(?<secret>[^"\\n]{1,200})"`,
      'dgi',
    ),
    isSecret: (text) => !isPlaceholder(text),
  },
  // https://developer.wordpress.org/advanced-administration/wordpress/wp-config
  {
    kind: 'assigned',
    pattern: new RegExp(
      `\\bdefine\\([ \\t]{0,4}["']\\w{0,64}?(?:${PASSWORD}|_KEY|_SALT)["'][ \\t]{0,4},[ \\t]{0,4}["']${QUOTED_OR_WORD}`,
      'dgi',
    ),
    isSecret: (text) => !isPlaceholder(text),
  },
  // https://man7.org/linux/man-pages/man5/crypt.5.html: hashes of passwords
  {
    kind: 'assigned',
    pattern: /(?<![\w$])(?<secret>\$(?:1|2[abxy]|5|6|7|y|argon2id?)\$[\w./$=,+-]{20,300})/dg,
  },
  // https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
  {
    kind: 'assigned',
    pattern:
      /\b(?:(?:machine\s{1,20}[^\s"']{1,200}|default)(?:\s{1,20}(?:login|account)\s{1,20}[^\s"']{1,200}){1,2}|machine\s{1,20}(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}))\s{1,20}password\s{1,20}"?(?<secret>(?<=")[^"\n]{1,200}(?=")|[^\s"']{1,200})/dg,
  },
  // https://www.postgresql.org/docs/current/libpq-pgpass.html
  {
    kind: 'assigned',
    pattern:
      /(?<![^\s"'])(?:[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}|\[[\da-f:]{2,45}\]|\*):(?:\d{2,5}|\*):(?!(?:tcp|udp):)(?:[A-Za-z_][\w-]{0,63}|\*):(?:[A-Za-z_][\w-]{0,63}|\*):(?<secret>[^\s"']{1,200})(?![^\s"'])/dg,
    // A colon of the password has a backslash.
    isSecret: (text, source) => text.split(':').length === source.split('\\:').length,
  },
  // https://docs.docker.com/reference/cli/docker/login: base64 of name and password
  {
    kind: 'assigned',
    pattern:
      /\b_?auth["']?[ \t]{0,20}[:=][ \t]{0,20}["']?(?<secret>[A-Za-z0-9+/]{4,4000}={0,2})(?![\w+/=])/dg,
    isSecret: isNameAndPassword,
  },
  // In XML, SQL and the options of commands
  {
    kind: 'assigned',
    pattern:
      /<(?:password|passphrase|secret|apikey|token)>(?<secret>(?!\$?\{)[^<>\s]{1,400})<\//dgi,
  },
  {
    kind: 'assigned',
    pattern:
      /\b(?:IDENTIFIED BY|WITH (?:ENCRYPTED )?PASSWORD)[ \t]{1,4}'(?<secret>[^'\n]{1,200})'/dgi,
  },
  // Commands whose option has a password: -p is joined to it for MySQL, and separate for MongoDB
  {
    kind: 'assigned',
    pattern:
      /\b(?:mysql(?:dump|admin|import|show|check|slap|sh)?|mariadb(?:-dump|-admin)?)[ \t][^\n;&|]{0,200}?(?<=[ \t])-p["']?(?<secret>[^\s"'$]{2,200})/dg,
    isSecret: (text) => !/^\d+:\d+$/.test(text),
  },
  {
    kind: 'assigned',
    pattern:
      /\b(?:mongo(?:sh|dump|restore|export|import)?[ \t][^\n;&|]{0,200}?(?<=[ \t])-p|redis-cli[ \t][^\n;&|]{0,200}?(?<=[ \t])-a|sshpass[ \t]{1,4}-p)[ \t]{0,4}["']?(?<secret>[^\s"'$;&|<>-][^\s"'$]{0,200})/dg,
  },
  {
    kind: 'assigned',
    pattern:
      /[ \t]--(?:[a-z]{1,20}-)?(?:password|passphrase|token|api-key|secret)[ \t]{1,4}["']?(?<secret>[^\s"'$<{[-][^\s"']{2,4000})/dg,
    isSecret: (text) => /\d/.test(text),
  },
]

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** True if a text is base64 of `name:password`. */
function isNameAndPassword(text: string): boolean {
  const bits = [...text.replace(/=+$/, '').slice(0, 400)]
    .map((digit) => BASE64.indexOf(digit).toString(2).padStart(6, '0'))
    .join('')
  const decoded = [...bits.matchAll(/.{8}/g)]
    .map(([byte]) => String.fromCharCode(Number.parseInt(byte, 2)))
    .join('')
  return /^[\x20-\x39\x3b-\x7e\x80-\xff]+:[\x20-\x7e\x80-\xff]+$/.test(decoded)
}
