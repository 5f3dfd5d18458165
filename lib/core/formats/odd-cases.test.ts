/**
 * Reads every file in the `cases/` folder of each reader and compares it with the snapshot beside it (`NAME.json.txt`).
 * A snapshot has the format found, the problems, the conversations with their texts, the strings that
 * masking may replace (spans), and what a window of one turn replaces.
 * A `.list` has documents, each below a line of `---` with what it shows; its snapshot has their problems, usage and times,
 * that of `shapes.list` how they are recognised, and their calls and results.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation, ResultSpan } from '../conversation/conversation'
import type { Usage } from '../conversation/usage'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { type Problem, ReadError } from '../problem'
import { anyText } from '../testing/chat-messages'
import { dumpConversation } from '../testing/dump'
import { expectStableMasking } from '../testing/expect-masked'
import { sentenceThrownBy } from '../testing/spoken'
import { forAll, IS_LARGE } from '../testing/test-size'
import { decodeUtf8 } from '../text/decode-utf8'
import { embeddedJsonText, type JsonSpan, readValueAt } from '../text/embedded-json'
import { describeProblem, inEnglish } from '../words/english'
import { type ReadDocument, readDocument } from './read-document'

const MASK_OLD: MaskPolicy = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
  placeholderTemplate: '[masked {tool_call_id} {tool_name} {original_chars}]',
}

const SHOWN_CHARS = 60

const FILES = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(import.meta.dirname, name, 'cases'))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => !path.endsWith('.txt'))
  .map((path) => ({ path, name: path.slice(import.meta.dirname.length + 1) }))
const CASES = FILES.filter(({ path }) => !path.endsWith('.list'))

test.each(FILES.filter(({ path }) => path.endsWith('.list')))(
  '$name: the facts of each document',
  async ({ path }) => {
    const [, ...parts] = decodeUtf8(readFileSync(path)).split(/^--- ?(.*)\n/m)
    const factsIn = path.endsWith('shapes.list') ? shapeOf : factsOf
    const lines = parts.flatMap((text, index) =>
      index % 2 === 0 ? [] : [parts[index - 1] as string, ...factsIn(text.slice(0, -1))],
    )
    // A sentence never expects what was found.
    expect(lines.join('\n')).not.toMatch(/ is a list of \d+ items?; expected a list/)
    await expect(`${lines.join('\n').trim()}\n`).toMatchFileSnapshot(`${path}.txt`)
  },
)

/** How a document is recognised, its conversations with their calls and results, and what masking one turn leaves. */
function shapeOf(text: string): string[] {
  const document = tryRead(text)
  if (document instanceof ReadError) return [`not read: ${problemLine(text, document.problem)}`, '']
  expectStableMasking(text, document.format.id, MASK_OLD)
  const { format, evidence, candidates, conversations, problems } = document
  const { shape, lists, marks } = evidence
  const others = candidates.filter((id) => id !== format.id)
  return [
    `${format.id}, ${shape}, ${lists} lists, by ${marks.join(', ')}; not ${others.join(', ') || 'others'}`,
    ...problems.map((problem) => `  ${problemLine(text, problem)}`),
    ...conversations.flatMap(({ label, opening, model, messages, turnCount, calls, results }) => [
      `  ${inEnglish(label)}: ${shown(opening)}, ${model}, ${messages.map(({ role, chars }) => `${role} ${chars}`).join(', ')}; ${turnCount} turns`,
      ...calls.map(
        ({ id, name, turn, argumentsPreview }) =>
          `    call ${id} ${name} in ${turn}: ${argumentsPreview}`,
      ),
      ...results.map(
        ({ callId, turn, shape: kind, chars, errorRules, spans }) =>
          `    result of ${callId} in ${turn}: ${kind}, ${chars}, ${errorRules.join(' ') || 'no error'}, at ${spans.map(({ pointer }) => pointer).join(' ')}`,
      ),
    ]),
    '',
  ]
}

function factsOf(text: string): string[] {
  const document = tryRead(text)
  if (document instanceof ReadError) return [`not read: ${problemLine(text, document.problem)}`]
  const { format, conversations, problems } = document
  const messages = conversations.flatMap((conversation) => conversation.messages)
  const times = messages.flatMap(({ turn, writtenAt }) =>
    turn === undefined ? [] : (writtenAt ?? '?'),
  )
  return [
    `${format.id}, ${messages.length} messages, turns at ${times.join(', ')}`,
    ...problems.map((problem) => `  ${problemLine(text, problem)}`),
    ...conversations.flatMap(usageLines),
  ]
}

/** What is known of the usage of each answer, and of all together. */
function usageLines({ messages, answerUsage, usageTotal }: ReadConversation): string[] {
  const shownUsage = (name: string, usage: Usage | undefined): string[] => {
    const known = Object.entries(usage ?? {}).filter(([, value]) => value !== undefined)
    return known.length === 0 ? [] : [`  ${name}: ${known.flat().join(' ')}`]
  }
  return [
    ...messages.flatMap(({ usage }, index) => shownUsage(`usage ${index}`, usage)),
    ...shownUsage('usage of the answer', answerUsage),
    ...shownUsage('usage of all', usageTotal),
  ]
}

test('a document is not read as a format that does not recognise it', () => {
  const asGemini = () => readDocument('[{"role":"user","content":"go"}]', { format: 'gemini' })
  expect(sentenceThrownBy(asGemini)).toMatch('not Gemini')
})

describe.each(CASES)('$name', ({ path }) => {
  const text = decodeUtf8(readFileSync(path))

  test('matches its snapshot', async () => {
    await expect(describeReading(text)).toMatchFileSnapshot(`${path}.txt`)
  })

  test('changes only in masked results, and not when it is masked again', () => {
    const document = tryRead(text)
    if (!(document instanceof ReadError)) expectStableMasking(text, document.format.id, MASK_OLD)
  })
})

/** A change of a document; the numbers choose from what it has. */
interface Change {
  readonly kind: string
  readonly at: number
  readonly to: number
  readonly text: string
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'exchange', 'id', 'text', 'text', 'text', 'copy'),
  at: fc.nat(),
  to: fc.nat(),
  text: anyText,
})

/** Keys by whose texts a format is recognised, or which link a value to another one. */
const KIND_KEY =
  /^(?:(?:sub|record_)?type|(?:part_)?kind|role|source|event|action|observation|from|format|object|status|cause|lc|timestamp|.*time|.*id)$/i

type Member = ReturnType<typeof membersOf>[number]

/** Drops, repeats and exchanges items of lists, and gives ids and other texts to one another, or any text. */
function changeAll(values: unknown[], changes: readonly Change[]): void {
  for (const { kind, at, to, text } of changes) {
    const members = membersOf(values)
    const lists = [values, ...members.map(([owner, key]) => owner[key])].filter(Array.isArray)
    const list = lists[at % lists.length] as unknown[]
    const [one, other] = [to % Math.max(1, list.length), at % Math.max(1, list.length)]
    if (kind === 'drop') list.splice(one, list.length > 1 ? 1 : 0)
    else if (kind === 'repeat') list.splice(one, 0, ...structuredClone(list.slice(one, one + 1)))
    else if (kind === 'exchange') [list[one], list[other]] = [list[other], list[one]]
    else {
      const texts = members
        .filter(([owner, key]) => typeof owner[key] === 'string')
        .filter(([, key]) => (kind === 'id' ? /id$/i.test(key) : !KIND_KEY.test(key)))
      if (texts.length === 0) continue
      const [owner, key] = texts[at % texts.length] as Member
      const [from, name] = texts[to % texts.length] as Member
      owner[key] = kind === 'text' ? text : from[name]
    }
  }
}

const READERS = [...new Set(CASES.map(({ name }) => name.split('/')[0] as string))]

test.each(READERS)(
  '%s: documents with other texts, ids and items change only in masked results',
  (reader) => {
    const own = CASES.filter(({ name }) => name.startsWith(`${reader}/`))
    forAll(
      100,
      [fc.constantFrom(...own), fc.array(anyChange, { maxLength: 9 })],
      ({ path }, changes) => {
        const values = jsonValuesOf(decodeUtf8(readFileSync(path)))
        changeAll(values, changes)
        const text = values.map((value) => JSON.stringify(value)).join('\n')
        const document = tryRead(text)
        if (!(document instanceof ReadError))
          expectStableMasking(text, document.format.id, MASK_OLD)
      },
    )
  },
)

/** `String` throws for it. */
const WITHOUT_TEXT = { toString: 1 }

test('an object in place of any value gives a reading or a problem', () => {
  for (const { path } of CASES) {
    const values = jsonValuesOf(decodeUtf8(readFileSync(path)))
    const members = values.flatMap((value) => membersOf(value))
    const step = Math.ceil(members.length / 5)
    for (const [owner, key] of members.filter((_, index) => index % step === 0)) {
      const value = owner[key]
      owner[key] = WITHOUT_TEXT
      tryRead(values.map((line) => JSON.stringify(line)).join('\n'))
      owner[key] = value
    }
  }
})

const INHERITED = ['constructor', '__proto__'] as const

test.each(IS_LARGE ? INHERITED : ['either'])('%s as a text is no member of a table', (each) => {
  for (const [at, { path }] of CASES.entries()) {
    const odd = each === 'either' ? INHERITED[at % 2] : each
    const values = jsonValuesOf(decodeUtf8(readFileSync(path)))
    const members = values.flatMap((value) => membersOf(value))
    const texts = members.filter(([owner, key]) => typeof owner[key] === 'string')
    const firsts = new Map(texts.toReversed().map((member) => [member[2], member]))
    for (const [text, [owner, key]] of [...firsts.values()].entries()) {
      if (!IS_LARGE && text % 3 !== at % 3) continue
      const value = owner[key]
      owner[key] = odd
      const read = tryRead(values.map((line) => JSON.stringify(line)).join('\n'))
      if (!(read instanceof ReadError)) read.conversations.forEach(expectTexts)
      owner[key] = value
    }
  }
})

function expectTexts({ messages, messageTexts, resultTexts, toolSchemas }: ReadConversation): void {
  const texts = [
    ...messages.map(({ role }) => role),
    ...messageTexts.flatMap(({ contents, calls }) => [
      ...contents,
      ...calls.flatMap((call) => [call.name, call.arguments]),
    ]),
    ...resultTexts.flat(),
    toolSchemas,
  ]
  for (const text of texts) if (text !== undefined) expect(text).toBeTypeOf('string')
}

/** Returns the value of a JSON text, or those of its lines; none if it is neither. */
function jsonValuesOf(text: string): unknown[] {
  for (const parts of [[text], text.trim().split('\n')]) {
    try {
      return parts.map((part) => JSON.parse(part))
    } catch {}
  }
  return []
}

/** Returns every member in a value, at any depth: what contains it, its key, and its path without numbers. */
function membersOf(value: unknown, path = ''): [Record<string, unknown>, string, string][] {
  if (typeof value !== 'object' || value === null) return []
  const owner = value as Record<string, unknown>
  return Object.keys(owner).flatMap((key) => {
    const own = Array.isArray(value) ? path : `${path}.${key}`
    return [[owner, key, own] as [typeof owner, string, string], ...membersOf(owner[key], own)]
  })
}

function tryRead(text: string): ReadDocument | ReadError {
  try {
    return readDocument(text)
  } catch (error) {
    if (error instanceof ReadError) return error
    throw error
  }
}

function describeReading(text: string): string {
  const document = tryRead(text)
  if (document instanceof ReadError) return `not read: ${problemLine(text, document.problem)}\n`
  const { format, evidence, conversations, problems } = document
  const { edits } = maskDocument({ text, ...document }, MASK_OLD)
  const lines = [
    `${format.id}, ${evidence.shape}, ${evidence.lists} lists, by ${evidence.marks.join(', ')}`,
    ...problems.map((problem) => `problem: ${problemLine(text, problem)}`),
    ...conversations.flatMap((conversation) => ['', ...conversationLines(text, conversation)]),
    '',
    ...edits.map(
      ({ start, end, text: by }) => `${JSON.stringify(text.slice(start, end))} -> ${by}`,
    ),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

function problemLine(text: string, problem: Problem): string {
  const { offset } = problem
  const place = offset === undefined ? 'nowhere' : text.slice(offset, offset + 24)
  return `${describeProblem(problem)} | at ${JSON.stringify(place)}`
}

/** The dump of a conversation, then its texts, shortened: contents, arguments, reasoning and results. */
function conversationLines(text: string, conversation: ReadConversation): string[] {
  const { opening, toolSchemas, messages, messageTexts, calls, callArguments } = conversation
  const { resultTexts, results } = conversation
  const lines = [dumpConversation(conversation).trimEnd(), `opening: ${shown(opening)}`]
  if (conversation.isSecondary === true) lines.push('secondary')
  lines.push(...usageLines(conversation))
  if (toolSchemas !== '') lines.push(`tools: ${shown(toolSchemas)}`)
  for (const [index, { contents, calls }] of messageTexts.entries()) {
    const parts = [
      ...contents.map(shown),
      ...calls.map((call) => `${call.name}(${shown(call.arguments)})`),
    ]
    const { writtenAt, reasoning = [], otherSpans = [] } = messages[index] ?? {}
    for (const span of reasoning) parts.push(`reasoning ${shown(valueIn(text, span))}`)
    if (otherSpans.length > 0) parts.push(`${otherSpans.length + 1} pieces`)
    if (writtenAt !== undefined) parts.push(`at ${writtenAt}`)
    if (parts.length > 0) lines.push(`texts ${index}: ${parts.join(' | ')}`)
  }
  for (const [index, { message, argumentsSpan }] of calls.entries()) {
    // The arguments of other calls are among the texts of their message.
    if (messageTexts[message]?.calls.length !== 0) continue
    const place = argumentsSpan === undefined ? ' | within the text' : ''
    lines.push(`call ${index}: ${shown(callArguments[index] ?? '')}${place}`)
  }
  for (const [index, texts] of resultTexts.entries()) {
    const { spans = [], duplicates = 0, valueSpan } = results[index] ?? {}
    const facts = [`result ${index}: ${texts.map(shown).join(' | ')}`]
    if (valueSpan !== undefined) facts.push(`in ${shown(embeddedJsonText(text, valueSpan))}`)
    if (spans.length > 0) facts.push(`spans ${spans.map(spanText).join(', ')}`)
    if (duplicates > 0) facts.push(`duplicates ${duplicates}`)
    lines.push(facts.join(' | '))
  }
  return lines
}

function spanText({ pointer, filler }: ResultSpan): string {
  return filler === undefined ? pointer : `${pointer} (becomes ${JSON.stringify(filler)})`
}

function valueIn(text: string, span: JsonSpan): string {
  return String(readValueAt(text, span))
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text)
}
