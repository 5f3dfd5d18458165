/** Finds values assigned to names such as `password` in code, `.env`, JSON, YAML, INI and connection strings. */
import type { Offset, Span } from '../../text/span'
import { isRedactionMark } from './redact-secrets'
import type { StringScopes } from './string-scopes'

const PASSWORD_NAMES =
  'password|passwd|passphrase|passwort|mot[_ -]?de[_ -]?passe|(?<=[_-])pass|(?<![\\w.-])pass(?=["\']?:)|pwd'
const KEY_NAMES =
  'secret|(?:api|access|secret|private|auth|signing|encryption)[_-]?key|client[_-]?key[_-]?data|(?:[a-z]{2,20}[_-]?)?token|credentials?|(?<=[_-])pat'

/** A name, what closes its quotes or brackets, perhaps a type as in Python, and the sign of an assignment. */
const ASSIGNMENT = new RegExp(
  `(?:(?<password>${PASSWORD_NAMES})|(?:${KEY_NAMES}))(?<suffix>\\d{0,3}(?:_[A-Z0-9]{1,20}){0,3})(?<close>["']?)\\]?[ \\t]{0,20}(?:: ?\\w{1,20} ?(?==))?(?<sign>:=|=>|={1,3}|:)(?<space>[ \\t]{0,20})`,
  'gi',
)

/** Values are judged by at most this many characters. */
const JUDGED = 300

interface Assignment {
  /** The name with what is before and after it, such as `DB_PASSWORD_2`. */
  readonly name: string
  readonly isPassword: boolean
  readonly hasSpace: boolean
  readonly isQuotedName: boolean
  readonly sign: string
  /** The line before the name. */
  readonly before: string
  readonly previousLine: string
}

/** Returns the spans of assigned values in a text, in ascending order. */
export function findAssigned(text: string, scopes: StringScopes): readonly Span[] {
  const found: Span[] = []
  const runs = [
    endOfRun(text, /[^\s"'`]*/y),
    endOfRun(text, /\S*/y),
    endOfRun(text, /[\w!@#%^*+=/~-]*/y),
  ]
  const [runEnd, envEnd, plainEnd] = runs as [EndOf, EndOf, EndOf]
  const addPlain = (start: Offset, tokenLength: number, { name, isQuotedName }: Assignment) => {
    const end = Math.min(plainEnd(start), scopes(start)?.end ?? text.length)
    const value = text.slice(start, Math.min(end, start + JUDGED))
    const isLong = value.length >= (isBareToken(name) ? tokenLength : 8)
    if (isLong && isPlainSecret(value, text[end], isQuotedName)) found.push({ start, end })
  }
  for (const match of text.matchAll(ASSIGNMENT)) {
    const start = match.index + match[0].length
    const scopeEnd = Math.min(scopes(start)?.end ?? text.length, text.length)
    const quote = text[start] ?? ''
    const isQuoted = /["'`]/.test(quote)
    const value = isQuoted ? quotedValue(text, start, scopes) : undefined
    const groups = match.groups as Record<string, string>
    const lineStart = Math.max(0, match.index - JUDGED, scopes(match.index)?.start ?? 0)
    const lines = text.slice(lineStart, match.index).split('\n')
    const before = lines.at(-1) as string
    const prefix = /[\w.-]{0,64}$/.exec(before)?.[0] ?? ''
    const assignment = {
      name: prefix + match[0].slice(0, nameLength(match[0], groups)),
      isPassword: groups.password !== undefined,
      hasSpace: groups.space !== '',
      isQuotedName: groups.close !== '',
      sign: groups.sign as string,
      before: before.slice(0, before.length - prefix.length),
      previousLine: lines.at(-2) ?? '',
    }
    if (groups.suffix && /[_]/.test(groups.suffix) && !isEnvironmentName(assignment.name)) continue
    if (
      /_(?:FILE|PATH|HASH|LENGTH|LEN|URL|NAME|TTL|ID|POLICY|REGEX|MIN|MAX)$/.test(assignment.name)
    )
      continue
    if (value !== undefined) {
      const content = text.slice(value.start, Math.min(value.end, value.start + JUDGED))
      if (isQuotedSecret(content, assignment)) {
        found.push(value)
        continue
      }
    }
    if (/^pass$/i.test(assignment.name)) continue
    if (isQuoted) {
      addPlain(start + 1, 32, assignment)
      continue
    }
    if (start >= scopeEnd) continue
    const isEnv = isEnvironment(assignment)
    const end = Math.min(
      isEnv && !/['`]$/.test(assignment.before) ? envEnd(start) : runEnd(start),
      scopeEnd,
    )
    const content = text.slice(start, Math.min(end, start + JUDGED))
    const after = text.slice(end, Math.min(end + JUDGED, scopeEnd))
    const length = unquotedLength(content, after.split('\n')[0] as string, assignment)
    if (length > 0) {
      found.push({ start, end: length < content.length ? start + length : end })
      continue
    }
    addPlain(start, 16, assignment)
  }
  return found
}

type EndOf = (at: Offset) => Offset

/** Returns the end of the run of characters at an offset. Ascending calls in one run read it once. */
function endOfRun(text: string, pattern: RegExp): EndOf {
  let end = 0
  return (at) => {
    if (at < end) return end
    pattern.lastIndex = at
    end = at + (pattern.exec(text)?.[0].length ?? 0)
    return end
  }
}

function nameLength(match: string, { close, sign }: Record<string, string>): number {
  return match.search(close === '' ? new RegExp(`[\\s\\]]*[${sign?.[0]}]`) : /["']/)
}

const MISPAIRED = /(?:[^\s"'`,:;{}[\]]+(?="))?/y

function quotedValue(text: string, at: Offset, scopes: StringScopes): Span | undefined {
  const inside = scopes(at + 1)
  if (text[at] === '"' && inside?.start === at + 1) return inside
  // After an earlier quote without its pair, the opening quote seems to close a string.
  const content = { "'": /(?:[^'\n]|'')*/y, '`': /[^`\n]*/y }[text[at] as string] ?? MISPAIRED
  content.lastIndex = at + 1
  const end = at + 1 + (content.exec(text.slice(0, at + 1 + 4_000))?.[0].length ?? 0)
  return { start: at + 1, end: Math.min(end, inside?.end ?? end) }
}

/** Values that stand for a secret, or that say there is none. */
const PLACEHOLDER =
  /^(?:\$\{[^}]*\}|\$\([^)]*\)?|\{.*|<.*|%\w*%?|\[.*|x{3,}|(?:your|my)[-_ ].*(?:key|token|secret|password).*|.*(?:\.{3}|…)|[*.…_#?-]+|null|none|nil|true|false|undefined|yes|no|n\/a|redacted|hidden|masked)$/i

const TYPE =
  /^(?:string|str|text|any|unknown|bool|boolean|int|integer|number|float|bytes|object|optional|required|secretstr|secret|never|void|char|varchar)\b.{0,40}$/i

const CODE = /^\$?[A-Za-z_]\w*(?:\??\.\$?[A-Za-z_]\w*|\([^()]*\)?|\[[^\]]*\]?|::\w+|!)*[,;)\]}]*$/

const KNOWN_OBJECT =
  /^(?:await|os|process|config|settings|env|self|this|import\.meta|secrets|vault|app)\b[.([]|^(?:get|load|read|require|input|prompt|\w+\.get)\w*\(/i

function isPlaceholder(value: string): boolean {
  return value === '' || PLACEHOLDER.test(value) || isRedactionMark(value)
}

/** True for `$NAME`, which JSON does not have. */
function isVariable(value: string, { isQuotedName, sign }: Assignment): boolean {
  return (
    /^\$[A-Z_]\w*$/.test(value) || (/^\$[a-z_]\w*$/.test(value) && !(isQuotedName && sign === ':'))
  )
}

function hasLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value)
}

function isQuotedSecret(value: string, assignment: Assignment): boolean {
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
  return (
    !/\s/.test(value) || !/^[A-Z]?[a-zà-ÿ' ]+[.!?:]|pass|enter|must|invalid|required/i.test(value)
  )
}

/** True for the name `token` alone, which many things have that are not secret. */
function isBareToken(name: string): boolean {
  return /(?:^|\.)token$/i.test(name)
}

function isEnvironmentName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
}

function isEnvironment({ name, hasSpace, sign }: Assignment): boolean {
  return isEnvironmentName(name) && sign === '=' && !hasSpace
}

/** Returns how many characters of an unquoted value are a secret by their surroundings; 0 if they are not. */
function unquotedLength(value: string, after: string, assignment: Assignment): number {
  const { name, isPassword, isQuotedName, sign, before, previousLine, hasSpace } = assignment
  if (isPlaceholder(value) || isVariable(value, assignment) || isQuotedName) return 0
  if (/pwd$/i.test(name) && /^[/~\\]|^[A-Z]:/.test(value)) return 0
  if (isEnvironment(assignment)) {
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
  if (sign !== '=' && sign !== ':') return 0
  if (sign === '=' && isConnection(before)) return value.split(/[;&]/, 1)[0]?.length ?? 0
  if (sign === '=' && !hasSpace && (/(?:^|\s)--$/.test(before) || name.startsWith('--')))
    return value.length
  // In code only a value with other characters differs from an expression.
  if (!hasLettersAndDigits(value) || value.length < 8 || isCode || CODE.test(value)) {
    const isProperty = sign === '=' && isLine && !/[,(]\s*$/.test(previousLine)
    const isKnown = hasSpace ? isIniLine(previousLine) : !isNameOfSecret(value)
    return isProperty && isKnown && !isCode && !/[,;)]$/.test(value) ? value.length : 0
  }
  return sign === '=' && !/[[{"(]$/.test(value) && !/[A-Za-z_]\w*[([]/.test(value)
    ? value.length
    : 0
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
function isPlainSecret(value: string, next: string | undefined, isQuotedName: boolean): boolean {
  if (!hasLettersAndDigits(value) || isPlaceholder(value)) return false
  if (isQuotedName && /^[-+.\deE]+$/.test(value)) return false
  return next === undefined || !/[.([]/.test(next)
}
