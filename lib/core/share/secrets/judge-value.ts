/** Judges whether a value that is assigned to a name such as `password` is a secret, by its text and the lines around it. */
import { isRedactionMark } from './redact-secrets'

export interface Assignment {
  /** The name with what is before and after it, such as `DB_PASSWORD_2`. */
  readonly name: string
  readonly isPassword: boolean
  readonly hasSpace: boolean
  readonly isQuotedName: boolean
  readonly sign: string
  /** The line before the name. */
  readonly before: string
  readonly previousLine: string
  readonly nextLine: string
}

/** A number such as JSON has; a redacted one is a one with zeros. */
const NUMBER = /^(?!10*(?!\d))[1-9]\d{3,14}(?=[,}\]]|$)/
/** Values that stand for a secret, or that say there is none. */
const PLACEHOLDER =
  /^(?:(?:\$\{[^}]*\}[-._:/@+…]*)+|\$\([^)]*\)?|\{.*|<.*|%\w*%?|\[.*|x{3,}|(?:your|my)[-_ ].*(?:key|token|secret|password).*|.*(?:\.{3}|…)|[*.…_#?-]+|null|none|nil|true|false|undefined|yes|no|n\/a|redacted|hidden|masked)$/i

/** Starts as a template and goes on as a password. */
const PART_IN_BRACKETS = /^(?:\{\w+\}|<\w+>)[^\s{}<>]+$/

const TYPE =
  /^(?:string|str|text|any|unknown|bool|boolean|int|integer|number|float|bytes|object|optional|required|secretstr|secret|never|void|char|varchar)\b.{0,40}$/i

const CODE = /^\$?[A-Za-z_]\w*(?:\??\.\$?[A-Za-z_]\w*|\([^()]*\)?|\[[^\]]*\]?|::\w+|!)*[,;)\]}]*$/

const KNOWN_OBJECT =
  /^(?:await|os|process|config|settings|env|self|this|import\.meta|secrets|vault|app)\b[.([]|^(?:get|load|read|require|input|prompt|\w+\.get)\w*\(/i

const SENTENCE =
  /^[A-Z]?[a-zà-ÿ' ]+[.!?:]|pass(?:word|phrase|code|e\b)|enter|must|invalid|required/i

export function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value) || isRedactionMark(value)
}

/** True for `$NAME`, which JSON does not have. */
function isVariable(value: string, { isQuotedName, sign }: Assignment): boolean {
  return (
    /^\$[A-Z_]\w*$/.test(value) || (/^\$[a-z_]\w*$/.test(value) && !(isQuotedName && sign === ':'))
  )
}

/** True for the type of a value that is not there, such as `Uint8Array`. */
export function isTypeName(value: string, { sign }: Assignment): boolean {
  return sign === ':' && /^[A-Z][A-Za-z]*\d{1,5}(?:[a-z]\d)?[A-Za-z]*[a-z]{2}$/.test(value)
}

/** True for a value without words, of a name that ends in `key` and does not say that it is not secret. */
export function isRandomKey(name: string, value: string): boolean {
  const text = value.replace(/^base64:/, '')
  if (!/^[\w+/.~-]{20,}={0,2}$/.test(text) || !hasLettersAndDigits(text)) return false
  if (NOT_SECRET_KEY.test(name) || isPlaceholder(text)) return false
  // Words have few changes between small letters, capitals and digits; a UUID is an id.
  const changes = text.split(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/).length - 1
  return changes >= text.length / 5 && !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

const NOT_SECRET_KEY =
  /(?:public|publishable|anon|primary|foreign|partition|sort|row|cache|idempotency|session|hash|storage|object|item|group|index|dedup\w*|lookup|host|site)[_-]?key$/i

export function hasLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value)
}

export function isQuotedSecret(value: string, assignment: Assignment): boolean {
  const { name, isPassword } = assignment
  if (isPlaceholder(value) || isVariable(value, assignment) || value.includes('\n')) return false
  if (/pwd$/i.test(name) && /[/\\]|^~/.test(value)) return false
  if (!isPassword)
    return (
      !/\s/.test(value) &&
      value.length >= (isBareToken(name) ? 32 : 8) &&
      (hasLettersAndDigits(value) || (isEnvironmentName(name) && /^[A-Za-z]{16,}$/.test(value)))
    )
  if (TYPE.test(value)) return false
  return !/\s/.test(value) || !SENTENCE.test(value)
}

/** True for the name `token` alone, which many things have that are not secret. */
export function isBareToken(name: string): boolean {
  return /(?:^|\.)token$/i.test(name)
}

export function isEnvironmentName(name: string): boolean {
  return /^\p{Lu}[\p{Lu}\d_]*$/u.test(name)
}

export function isEnvironment({ name, hasSpace, sign }: Assignment): boolean {
  return isEnvironmentName(name) && sign === '=' && !hasSpace
}

/** Returns how many characters of an unquoted value are a secret by their surroundings; 0 if they are not. */
export function unquotedLength(value: string, after: string, assignment: Assignment): number {
  const { name, isPassword, isQuotedName, sign, before, previousLine, hasSpace } = assignment
  const isTemplate =
    isPlaceholder(value) && !(isEnvironment(assignment) && PART_IN_BRACKETS.test(value))
  if (isTemplate || isVariable(value, assignment)) return 0
  if (!isPassword && isTypeName(value, assignment)) return 0
  if (isQuotedName) return isPassword && sign === ':' ? (NUMBER.exec(value)?.[0].length ?? 0) : 0
  if (/pwd$/i.test(name) && /^[/~\\]|^[A-Z]:/.test(value)) return 0
  const spaced = isPassword ? spacedLength(value + after, assignment) : 0
  if (spaced > 0) return spaced
  if (isEnvironment(assignment)) {
    if (name === 'PASS' && /^\d{1,6}$/.test(value)) return 0
    if (KNOWN_OBJECT.test(value) || (!isPassword && value.length < 4)) return 0
    const isLine = /^\s*(?:export\s+|-\s+|\+)?$/.test(before) && after.trim() === ''
    return isLine ? value.length : value.replace(/[;,)\\]+$/, '').length
  }
  const isLine = /^[\s+-]*$/.test(before) && /^\s*(?:#.*)?$/.test(after)
  const isYaml = sign === ':' && hasSpace && isLine && !/[;{(,]\s*$/.test(previousLine)
  if (!isPassword) {
    if (isYaml && isEnvironmentName(name) && value.length >= 8 && /^[\w.~+/=-]+$/.test(value)) {
      return CODE.test(value) && !/^\w+$/.test(value) ? 0 : value.length
    }
    const isToken = value.length >= 16 && hasLettersAndDigits(value) && /^[\w.~+/=-]+$/.test(value)
    return isYaml && isToken && !CODE.test(value.replace(/^[^.]*$/, '')) ? value.length : 0
  }
  const isCode = CODE.test(value) && !/^\w+$/.test(value)
  if (isYaml && !TYPE.test(value) && !/[,;{([]$/.test(value) && !isCode) return value.length
  if (sign === '=' && isConnection(before)) return value.search(/[;&]|$/)
  if (
    sign === '=' &&
    !hasSpace &&
    (/(?:^|\s)--(?:[\w-]+=)?$/.test(before) || name.startsWith('--'))
  )
    return value.length
  // In code only a value with other characters differs from an expression.
  if (!hasLettersAndDigits(value) || value.length < 8 || isCode || CODE.test(value)) {
    const isProperty = sign === '=' && isLine && !/[,(]\s*$/.test(previousLine)
    const isKnown = hasSpace
      ? isIniLine(previousLine) || (isAlone(assignment) && !isNameOfSecret(value))
      : !isNameOfSecret(value)
    return isProperty && isKnown && !isCode && !/[,;)]$/.test(value) ? value.length : 0
  }
  return sign === '=' && !/[[{"(]$/.test(value) && !/[A-Za-z_]\w*[([]/.test(value)
    ? value.length
    : 0
}

/** Returns the length of a value with spaces that fills its line in a `.env`, INI or YAML file; 0 if it does not. */
function spacedLength(line: string, assignment: Assignment): number {
  const { sign, hasSpace, before, previousLine, nextLine } = assignment
  const value = line.replace(/[ \t]+#.*$/, '').trimEnd()
  if (!/\s/.test(value) || /["'`$|;&<>(){}=\\]|\s-|,$/.test(value) || SENTENCE.test(value)) return 0
  if (!/^[\s+-]*$/.test(before)) return 0
  const neighbours = [previousLine, nextLine]
  const isEnvLine = (one: string) => /^\s*(?:export\s+)?[A-Z_][A-Z0-9_]*=/.test(one)
  if (isEnvironment(assignment)) return neighbours.some(isEnvLine) ? value.length : 0
  if (sign === '=') return neighbours.some(isIniLine) ? value.length : 0
  // In YAML, two words may also be a label.
  if (sign !== ':' || !hasSpace || !/[\d!@#%^*+~]/.test(value)) return 0
  const sibling = new RegExp(`^${before.replace(/[+-]/g, ' ')}[\\w-]{1,64}:(?: |$)`)
  return neighbours.some((other) => sibling.test(other.replace(/^[+-]/, ' '))) ? value.length : 0
}

/** True for an assignment between empty lines, prompts, comments or other assignments of an INI file. */
function isAlone({ previousLine, nextLine }: Assignment): boolean {
  return [previousLine, nextLine].every(
    (line) => /^\s*(?:$|[#>%;]|@@ |\$(?:[^"]|"[^"]*")*$)/.test(line) || isIniLine(line),
  )
}

/** True for a section of an INI file, or an assignment that code would write otherwise. */
function isIniLine(line: string): boolean {
  return /^\s*(?:\[[^\]]{1,100}\]|[\w.-]{1,64} ?= ?[^()[\]{};"']{1,200})\s*$/.test(line)
}

/** True for a variable such as `userPassword`, which is assigned in code. */
function isNameOfSecret(value: string): boolean {
  return /pass|pwd|secret|token/i.test(value) || TYPE.test(value)
}

function isConnection(before: string): boolean {
  return /(?:^|[\s;"'?&])(?:host|server|user|uid|user id|username|dbname|database|data source|port) ?= ?[^=\s;&]{1,100}[\s;&](?:[^\n]{0,200}[\s;&])?$/i.test(
    before,
  )
}

/** True for letters and digits that neither a call nor a property follows, as of an expression. */
export function isPlainSecret(value: string, next: string | undefined, isQuotedName: boolean) {
  if (!hasLettersAndDigits(value) || isPlaceholder(value)) return false
  if (isQuotedName && /^[-+.\deE]+$/.test(value)) return false
  return next === undefined || !/[.([]/.test(next)
}
