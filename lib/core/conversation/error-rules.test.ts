import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUnicode } from '../testing/any-unicode'
import { forAll, testSize } from '../testing/test-size'
import { ERROR_RULES, type ErrorRule, OPTIONAL_ERROR_RULES } from './conversation'
import { errorMatchesOf, errorRulesOf, isErrorValue } from './error-rules'

/** The rules as regular expressions, each on its own. */
const PLAIN_RULES: readonly (readonly [ErrorRule, (text: string) => boolean])[] = [
  ['traceback', (text) => /traceback/i.test(text)],
  ['exception', (text) => /exception/i.test(text)],
  ['error_line', (text) => /(?:^|[\r\n])error/i.test(text)],
  ['timeout', (text) => /timeout/i.test(text)],
  ['connection', (text) => /connect_error|connection refused/i.test(text)],
  ['json_error', (text) => /"error"\s*:/.test(text) || isErrorJson(text)],
  [
    'stack_trace',
    (text) =>
      /traceback \(most recent call last\):\r?\n[ \t]{1,16}File "/i.test(text) ||
      /\n(?: {4}|\t)at [^\n]{1,200}:\d/.test(text),
  ],
  [
    'exit_code',
    (text) =>
      /(?:exit(?:ed)?[ _-]?(?:with[ _-]?)?(?:code|status)|exited with|return[ _-]?code)["']?[ \t]{0,3}[:=]?[ \t]{0,3}-?0{0,9}[1-9]/i.test(
        text,
      ),
  ],
  ['error_flag', (text) => /"is_?error"\s*:\s*true/i.test(text)],
  ['json_failure', (text) => /"success"\s*:\s*false|"status"\s{0,20}:\s{0,20}"error"/i.test(text)],
]

function isErrorJson(text: string): boolean {
  try {
    // `trim` removes spaces that are not JSON.
    return text.trim().startsWith('{') && isErrorValue(JSON.parse(text))
  } catch {
    return false
  }
}

function plainRulesOf(text: string): ErrorRule[] {
  return PLAIN_RULES.filter(([, meets]) => meets(text)).map(([rule]) => rule)
}

const WORDS = [
  ...['timeoutraceback', 'connect_timeout_error', 'traceback', 'exception', 'error', 'timeout'],
  ...['connect_error', 'connection refused', '"error"', '"error":', '"status":"error"'],
  ...['\\u0065rror', '"st\\u0061tus"', '\n    at read (file.js:10:5)', '\n\tat '],
  'Traceback (most recent call last):\n  File "a.py", line 1',
  ...['exited with code 2', '"exitCode": -1', 'exit status 0', 'return_code=', '00', '7'],
  ...['"is_error": true', '"isError":', 'true', '"success": false', '"status" : "'],
]
const SPACES = ['\n', '\r', ' ', '\t', '\u00a0', '\u2028', '\ufeff', '']
/** Signs of JSON, and characters whose upper or lower case is an ASCII letter. */
const SIGNS = [...'ſ\u212aİı\0\u007f*-\u0165😀\ud800":{}']

const anyWord = fc
  .tuple(fc.constantFrom(...WORDS), fc.infiniteStream(fc.nat(9)))
  .map(([word, cases]) =>
    [...word].map((char) => (cases.next().value > 7 ? char.toUpperCase() : char)).join(''),
  )
const anyCutWord = fc
  .tuple(anyWord, fc.nat(9), fc.nat(30))
  .map(([word, start, length]) => word.slice(start > 7 ? 1 : 0, length < 5 ? -1 : undefined))
const anyText = fc
  .array(
    fc.oneof(
      anyWord,
      anyCutWord,
      fc.constantFrom(...SPACES),
      fc.constantFrom(...SIGNS),
      fc.string({ maxLength: 5 }),
      anyUnicode({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))
const anyKey = fc.constantFrom('error', 'status', 'Error', 'other')
const anyObject = fc.dictionary(
  anyKey,
  fc.oneof(
    fc.constantFrom('error', 'ERROR', 'ok', null, 1),
    fc.dictionary(anyKey, fc.constantFrom('error', 'ok'), { maxKeys: 2 }),
  ),
  { maxKeys: 3 },
)
/** JSON in which some letters are written as escapes. */
const anyJson = fc
  .tuple(fc.oneof(anyObject, fc.array(anyObject)), fc.nat(3), fc.constantFrom(...SPACES))
  .map(([value, indent, space]) => space + JSON.stringify(value, null, indent) + space)
  .chain((text) =>
    fc.constantFrom(text, text.replace('e', '\\u0065'), text.replace('a', '\\u0061'), `${text},`),
  )

test.each([
  ['texts made of their words', 2_000, anyText],
  ['JSON objects', 1_000, anyJson],
])('the rules equal their regular expressions on %s', (_, runs, anyOf) => {
  forAll(runs, [anyOf], (text) => {
    expect(errorRulesOf(text)).toEqual(plainRulesOf(text))
  })
})

test.each([
  [
    'Traceback (most recent call last):\n  File "a.py"',
    { traceback: 'Traceback', stack_trace: 'Traceback (most recent call last):\n  File "' },
  ],
  ['x\n    at read (a.js:1)', { stack_trace: '\n    at read (a.js:1' }],
  ['Exit code: 127', { exit_code: 'Exit code: 1' }],
  ['{"is_error": true}', { error_flag: '"is_error": true' }],
  ['{"success": false, "x": 1}', { json_failure: '"success": false' }],
  ['{"status": "ERROR"}', { json_failure: '"status": "ERROR"' }],
  ['{"status": "error"}', { json_error: '"status"', json_failure: '"status": "error"' }],
  ['{"st\\u0061tus": "error"}', { json_error: '{' }],
  // Cut-off JSON is no JSON, so the words decide: a name in quotes with its colon.
  ['{"error": "x', { json_error: '"error":' }],
  ['{"error"', {}],
  ['a {"error" : 1} timeout', { json_error: '"error" :', timeout: 'timeout' }],
  ['connect_error\nerror', { connection: 'connect_error', error_line: 'error' }],
  [
    'Connection refused, Timeout, exception, timeout',
    { connection: 'Connection refused', timeout: 'Timeout', exception: 'exception' },
  ],
])('the first match of each rule in %j', (text, expected) => {
  const matches = Object.entries(errorMatchesOf(text))
  const found = matches.map(([rule, { start, end }]) => [rule, text.slice(start, end)])
  expect(Object.fromEntries(found)).toEqual(expected)
})

test.each([
  ...['exit 1', 'process.exit(1)', 'exited with code 0', 'exit status: 0', '"isError": false'],
  ...['"success": true', '  at noon: 12', 'Traceback (most recent call last):'],
])('%j matches no optional rule', (text) => {
  const optional: readonly string[] = OPTIONAL_ERROR_RULES
  expect(errorRulesOf(text).filter((rule) => optional.includes(rule))).toEqual([])
})

test.each([
  ...['ValueError: bad', 'connect ECONNREFUSED', 'Request timed out', '[{"status":"error"}]'],
  ...['TypeError: x is not a function\n    at read (a.js:10:3)', '{"error"'],
])('%j is no error by the rules of Schema 1', (text) => {
  const schema1: readonly string[] = ERROR_RULES
  expect(errorRulesOf(text).filter((rule) => schema1.includes(rule))).toEqual([])
})

test.each([
  ...['Error: (none)', 'ok\nError: none', 'error: "null" ', 'Error:undefined\r\n'],
  ...['ERROR:\t0', 'Error:', 'x\nError: \n'],
])('%j is an error line as a string alone, in a list of texts it is none', (text) => {
  const found = (isInParts: boolean) => errorRulesOf(text, isInParts)
  expect([found(false), found(true)]).toEqual([['error_line'], []])
  for (const said of [
    text.replace(':', 's:'),
    `${text.trim()} 1`,
    `Error: (none)\n${text.trim()} x`,
  ])
    expect(errorRulesOf(said, true)).toEqual(['error_line'])
})

const size = testSize(250_000, 1_000_000)
test.each([
  ['an error in quotes without a colon', '"error'.repeat(size / 6)],
  ['errors in quotes with spaces', `"error"${' '.repeat(50)}`.repeat(size / 57)],
  ['one error in quotes before spaces', `"error"${' '.repeat(size)}`],
  ['deep JSON', `{"status":"error","a":${'['.repeat(size)}${']'.repeat(size)}}`],
  ['deep JSON objects', `${'{"error" '.repeat(size / 10)}${'}'.repeat(size / 10)}`],
  ['lines that start with spaces', `${' '.repeat(10)}error\n`.repeat(size / 10)],
  ['starts of words', 'tracebac exceptio timeou connect_erro connection refuse '.repeat(size / 56)],
  ['exits with spaces', `exit code${' '.repeat(9)}`.repeat(size / 18)],
  ['zeros behind an exit code', `exit code ${'0'.repeat(size)}`],
  ['frames without a line', `\n    at ${'x'.repeat(250)}`.repeat(size / 256)],
  ['lines of frames', '\n    at a'.repeat(size / 9)],
  ['flags with spaces', `"is_error"${' '.repeat(50)}`.repeat(size / 60)],
  ['states with spaces', `"status"${' '.repeat(20)}:${' '.repeat(20)}"errors`.repeat(size / 57)],
  ['many errors', 'error_'.repeat(size / 6)],
  ['one letter', 'e'.repeat(size)],
  ['escapes', `{"a":"${'\\u00e9'.repeat(size / 6)}"}`],
])('the rules scan %s in linear time', (_, text) => {
  expect(errorRulesOf(text)).toEqual(plainRulesOf(text))
  const startedAt = process.cpuUsage()
  errorRulesOf(text)
  // Quadratic work would take a minute or more; the bound leaves room for a busy machine that counts coverage.
  expect(process.cpuUsage(startedAt).user).toBeLessThan(5_000_000)
})
