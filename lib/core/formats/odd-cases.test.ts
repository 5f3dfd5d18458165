/**
 * Reads every file in the `cases/` folder of each reader and compares it with the snapshot beside it (`NAME.json.txt`).
 * A snapshot has the format found, the problems, the conversations with their texts, the strings that
 * masking may replace (spans), and what a window of one turn replaces.
 * A `.list` has documents, each below a line of `---` with what it shows; its snapshot has the same of each.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation, ResultSpan, Usage } from '../conversation/conversation'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { type Problem, ReadError } from '../problem'
import { anyText } from '../testing/chat-messages'
import { dumpConversation } from '../testing/dump'
import { expectStableMasking } from '../testing/expect-masked'
import { sentenceThrownBy } from '../testing/spoken'
import { forAll, IS_LARGE, testSize } from '../testing/test-size'
import { decodeUtf8 } from '../text/decode-utf8'
import { embeddedJsonText, readValueAt } from '../text/embedded-json'
import { describeProblem } from '../words/english'
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
  '$name: each document',
  async ({ path }) => {
    const [, ...parts] = decodeUtf8(readFileSync(path)).split(/^--- ?(.*)\n/m)
    const readings = parts.flatMap((line, index) => {
      if (index % 2 === 1) return []
      const text = (parts[index + 1] as string).slice(0, -1)
      const read = tryRead(text)
      expectStable(text, read)
      return `--- ${line}\n${describeReading(text, read)}`
    })
    // A sentence never expects what was found.
    expect(readings.join('\n')).not.toMatch(/ is a list of \d+ items?; expected a list/)
    await expect(readings.join('\n')).toMatchFileSnapshot(`${path}.txt`)
  },
)

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
  let read: ReturnType<typeof tryRead> | undefined

  test('matches its snapshot', async () => {
    read = tryRead(text)
    await expect(describeReading(text, read)).toMatchFileSnapshot(`${path}.txt`)
  })

  test('changes only in masked results, and not when it is masked again', () => {
    expectStable(text, read)
  })
})

/** A change of a document; the numbers choose from what it has. */
type Change = Readonly<Record<'at' | 'to', number> & Record<'kind' | 'text', string>>

const anyChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('drop', 'repeat', 'exchange', 'id', 'text', 'text', 'text', 'copy'),
    at: fc.nat(),
    to: fc.nat(),
    text: anyText,
  }),
  { maxLength: 9 },
)

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
    forAll(testSize(40, 100), [fc.constantFrom(...own), anyChanges], ({ path }, changes) => {
      const values = jsonValuesIn(path)
      changeAll(values, changes)
      expectStable(linesOf(values))
    })
  },
)

test('an object or a list in place of any value gives a reading or a problem', () => {
  for (const { path } of CASES) {
    const values = jsonValuesIn(path)
    const members = values.flatMap((value) => membersOf(value))
    const step = Math.ceil(members.length / 3)
    // `String` throws for the object.
    const odd = [{ toString: 1 }, ['text']]
    for (const [at, [owner, key]] of members.filter((_, at) => at % step === 0).entries())
      for (const other of IS_LARGE ? odd : [odd[at % 2]]) readWith(values, owner, key, other)
  }
})

const INHERITED = ['constructor', '__proto__'] as const
test.each(IS_LARGE ? INHERITED : ['either'])('%s as a text is no member of a table', (each) => {
  for (const [at, { path }] of CASES.entries()) {
    const odd = each === 'either' ? INHERITED[at % 2] : each
    const values = jsonValuesIn(path)
    const members = values.flatMap((value) => membersOf(value))
    const texts = members.filter(([owner, key]) => typeof owner[key] === 'string')
    const firsts = new Map(texts.toReversed().map((member) => [member[2], member]))
    for (const [text, [owner, key]] of [...firsts.values()].entries()) {
      if (!IS_LARGE && text % 5 !== at % 5) continue
      const read = readWith(values, owner, key, odd)
      if (!(read instanceof ReadError)) read.conversations.forEach(expectTexts)
    }
  }
})

const linesOf = (values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

/** Reads the values with another one in place of a member. */
function readWith(values: unknown[], owner: Member[0], key: string, other: unknown) {
  const value = owner[key]
  owner[key] = other
  const read = tryRead(linesOf(values))
  owner[key] = value
  return read
}

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
  const others = texts.filter((text) => text !== undefined && typeof text !== 'string')
  expect(others).toEqual([])
}

/** Returns the value of a JSON file, or those of its lines; none if it is neither. */
function jsonValuesIn(path: string): unknown[] {
  const text = decodeUtf8(readFileSync(path))
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

function expectStable(text: string, document = tryRead(text)): void {
  if (!(document instanceof ReadError))
    expectStableMasking(text, document.format.id, MASK_OLD, document)
}

function describeReading(text: string, document: ReadDocument | ReadError): string {
  if (document instanceof ReadError) return `not read: ${problemLine(text, document.problem)}\n`
  const { format, evidence, candidates, conversations, problems } = document
  const others = candidates.filter((id) => id !== format.id)
  const { edits } = maskDocument({ text, ...document }, MASK_OLD)
  const lines = [
    `${format.id}, ${evidence.shape}, ${evidence.lists} lists, by ${evidence.marks.join(', ')}${others.map((id) => `; not ${id}`).join('')}`,
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
  if (conversation.followsCompaction === true) lines.push('after a compaction')
  lines.push(...usageLines(conversation))
  if (toolSchemas !== '') lines.push(`tools: ${shown(toolSchemas)}`)
  for (const [index, { contents, calls }] of messageTexts.entries()) {
    const parts = [
      ...contents.map(shown),
      ...calls.map((call) => `${call.name}(${shown(call.arguments)})`),
    ]
    const { writtenAt, reasoning = [], otherSpans = [] } = messages[index] ?? {}
    for (const span of reasoning) parts.push(`reasoning ${shown(String(readValueAt(text, span)))}`)
    if (otherSpans.length > 0) parts.push(`${otherSpans.length + 1} pieces`)
    if (writtenAt !== undefined) parts.push(`at ${writtenAt}`)
    const { reasoningMarks: marks = [] } = messages[index] ?? {}
    if (marks.length > 0) parts.push(`marks ${marks.join(', ')}`)
    if (parts.length > 0) lines.push(`texts ${index}: ${parts.join(' | ')}`)
  }
  for (const [index, { message, argumentsSpan }] of calls.entries()) {
    // The arguments of other calls are among the texts of their message.
    if (messageTexts[message]?.calls.length !== 0) continue
    const place = argumentsSpan === undefined ? ' | within the text' : ''
    lines.push(`call ${index}: ${shown(callArguments[index] ?? '')}${place}`)
  }
  for (const [index, texts] of resultTexts.entries()) {
    const { callId, turn, spans = [], duplicates = 0, valueSpan } = results[index] ?? {}
    const { clearedAt, signed } = results[index] ?? {}
    const owner = callId === undefined && turn !== undefined ? ` of turn ${turn + 1}` : ''
    const facts = [`result ${index}${owner}: ${texts.map(shown).join(' | ')}`]
    if (valueSpan !== undefined) facts.push(`in ${shown(embeddedJsonText(text, valueSpan))}`)
    if (spans.length > 0) facts.push(`spans ${spans.map(spanText).join(', ')}`)
    if (duplicates > 0) facts.push(`duplicates ${duplicates}`)
    if (clearedAt !== undefined) facts.push(`cleared at ${clearedAt}`)
    if (signed !== undefined) facts.push(`signed at ${signed.message}, after ${signed.turns} turns`)
    lines.push(facts.join(' | '))
  }
  return lines
}

function spanText({ pointer, filler }: ResultSpan): string {
  return filler === undefined ? pointer : `${pointer} (becomes ${JSON.stringify(filler)})`
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text)
}
