/** Finds values assigned to names such as `password` in code, `.env`, JSON, YAML, INI and connection strings. */
import type { Offset, TextSpan } from '../../text/span'
import {
  type Assignment,
  isBareToken,
  isEnvironment,
  isEnvironmentName,
  isPlainSecret,
  isQuotedSecret,
  isRandomKey,
  isTypeName,
  unquotedLength,
} from './judge-value'
import { closedScope, type StringScopes } from './string-scopes'

/** In English, French, Spanish, Portuguese, German, Dutch, Russian, Chinese and Japanese. */
const PASSWORD_NAMES =
  'password|passwd|passphrase|passwort|kennwort|wachtwoord|mot[_ -]?de[_ -]?passe|(?<![a-z])mdp(?![a-z])|contrase[ñn]a|senha|пароль|密码|密碼|パスワード|(?<=[_-])pass|(?<![\\w.-])pass(?=["\']?:|=)|pwd'
const KEY_NAMES =
  'secret|(?:api|access|secret|private|auth|signing|encryption)[_-]?key|client[_-]?key[_-]?data|(?:[a-z]{2,20}[_-]?)?token|credentials?|(?<=[_-])pat|(?<![a-z])(?:cl[ée]|clave|jeton)(?:[ _-]?(?:d_)?(?:api|acc[èe]s|acceso|secr[èe]te|secreta|priv[ée]e|privada))?(?![a-z])'
/** Names that secrets have, as parts of others too. */
export const SECRET_NAMES = `${PASSWORD_NAMES}|${KEY_NAMES}`

/** A name, what closes its quotes or brackets, perhaps a type as in Python, and the sign of an assignment. */
const ASSIGNMENT = new RegExp(
  `(?:(?<password>${PASSWORD_NAMES})|(?:${KEY_NAMES})|(?<any>(?<=[\\w-])key))(?<suffix>\\d{0,3}(?:_[A-Z0-9]{1,20}){0,3})(?<close>["']?)\\]?[ \\t]{0,20}(?:: ?\\w{1,20} ?(?==[ \\t]{0,4}(?!["']?(?:[\\s,}\\]]|$))[^=]))?(?<sign>:[=-]|=>|={1,3}|:)(?<space>[ \\t]{0,20}(?:(?:!!str|&\\w{1,20})[ \\t]{1,4})?)`,
  'gi',
)

/** Values are judged by at most this many characters. */
const JUDGED = 300

/** Returns the spans of assigned values in a text, in ascending order. */
export function findAssigned(text: string, scopes: StringScopes): readonly TextSpan[] {
  const found: TextSpan[] = []
  const runs = [
    endOfRun(text, /[^\s"'`]*/y),
    endOfRun(text, /\S*/y),
    endOfRun(text, /[\w!@#%^*+=/~-]*/y),
  ]
  const [runEnd, envEnd, plainEnd] = runs as [EndOf, EndOf, EndOf]
  const addPlain = (start: Offset, tokenLength: number, assignment: Assignment) => {
    const { name, isQuotedName } = assignment
    const end = Math.min(plainEnd(start), scopes(start)?.end ?? text.length)
    const value = text.slice(start, Math.min(end, start + JUDGED))
    const isLong = value.length >= (isBareToken(name) ? tokenLength : 8)
    if (isTypeName(value, assignment)) return
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
    const prefix = before.slice(before.search(/[\w.-]{0,64}$/))
    const nameEnd = groups.close === '' ? new RegExp(`[\\s\\]]*[${groups.sign?.[0]}]`) : /["']/
    const assignment: Assignment = {
      name: prefix + match[0].slice(0, match[0].search(nameEnd)),
      isPassword: groups.password !== undefined,
      hasSpace: groups.space !== '',
      isQuotedName: groups.close !== '',
      sign: groups.sign as string,
      before: before.slice(0, before.length - prefix.length),
      previousLine: lines.at(-2) ?? '',
      nextLine: '',
    }
    if (groups.suffix && /[_]/.test(groups.suffix) && !isEnvironmentName(assignment.name)) continue
    if (
      /_(?:FILE|PATH|HASH|LENGTH|LEN|URL|NAME|TTL|ID|POLICY|REGEX|MIN|MAX)$/.test(assignment.name)
    )
      continue
    if (groups.any !== undefined) {
      const span = value ?? { start, end: Math.min(runEnd(start), scopeEnd) }
      const content = text.slice(span.start, Math.min(span.end, span.start + JUDGED))
      const unquoted = isQuoted ? content : content.replace(/[;,)\]}>]+$/, '')
      const isKey = isRandomKey(assignment.name, unquoted)
      if (isKey) found.push({ start: span.start, end: span.end - content.length + unquoted.length })
      continue
    }
    const isPass = /^pass$/i.test(assignment.name)
    if (isPass && assignment.sign !== ':' && !isEnvironment(assignment)) continue
    if (value !== undefined) {
      const content = text.slice(value.start, Math.min(value.end, value.start + JUDGED))
      if (isQuotedSecret(content, assignment)) {
        found.push(value)
        continue
      }
    }
    if (isPass && !isEnvironment(assignment)) continue
    if (isQuoted) {
      addPlain(start + 1, 32, assignment)
      continue
    }
    if (start >= scopeEnd) continue
    const isEnv = isEnvironment(assignment)
    const isUnquoted = isEnv && !/['`]$/.test(assignment.before)
    const end = Math.min(isUnquoted ? envEnd(start) : runEnd(start), scopeEnd)
    const content = text.slice(start, Math.min(end, start + JUDGED))
    const [after = '', nextLine = ''] = text
      .slice(end, Math.min(end + JUDGED, closedScope(scopes, start)?.end ?? text.length))
      .split('\n', 2)
    if (isBlockMark(content + after, assignment)) {
      const block = blockOf(text.slice(0, scopeEnd), end + after.length + 1, assignment)
      if (block !== undefined) found.push(block)
      continue
    }
    const length = unquotedLength(content, after, { ...assignment, nextLine })
    if (length > 0) {
      found.push({ start, end: length === content.length ? end : start + length })
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
    pattern.test(text)
    end = pattern.lastIndex
    return end
  }
}

const MISPAIRED = /(?:[^\s"'`,:;{}[\]]+(?="))?/y

function quotedValue(text: string, at: Offset, scopes: StringScopes): TextSpan | undefined {
  const inside = scopes(at + 1)
  if (text[at] === '"' && inside?.start === at + 1) return inside
  // After an earlier quote without its pair, the opening quote seems to close a string.
  const content = { "'": /(?:[^'\n]|'')*/y, '`': /[^`\n]*/y }[text[at] as string] ?? MISPAIRED
  content.lastIndex = at + 1
  content.test(text.slice(0, at + 1 + 4_000))
  const end = content.lastIndex
  return { start: at + 1, end: Math.min(end, inside?.end ?? end) }
}

/** Lines of a YAML block that are read; keys of several lines have patterns of their own. */
const MOST_BLOCK_LINES = 10

function isBlockMark(line: string, { sign, hasSpace }: Assignment): boolean {
  return sign === ':' && hasSpace && /^[|>][-+\d]{0,2}[ \t]*(?:#.*)?$/.test(line)
}

/** Returns the span of the lines that are indented more than their key, if they are a secret. */
function blockOf(text: string, at: Offset, assignment: Assignment): TextSpan | undefined {
  const keyIndent = assignment.before.search(/[^\s+-]|$/)
  let start: Offset | undefined
  let end = at
  for (let line = 0; line < MOST_BLOCK_LINES && end < text.length; line++) {
    const next = text.slice(end, end + 4_000).split('\n', 1)[0] as string
    const indent = next.search(/\S/)
    if (indent <= keyIndent) break
    start ??= end + indent
    end += next.length + 1
  }
  if (start === undefined) return undefined
  const value = text.slice(start, end - 1).trimEnd()
  return isQuotedSecret(value.replaceAll('\n', ''), assignment)
    ? { start, end: start + value.length }
    : undefined
}
