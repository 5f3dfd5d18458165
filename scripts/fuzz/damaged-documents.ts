/** Arbitrary damaged documents of every format: samples and generated conversations, cut, mixed and changed. */
import fc from 'fast-check'
import type { MaskPolicy } from '../../lib/core/policy/policy'
import type { JsonValue } from '../../lib/core/testing/chat-messages'
import { anyDocument } from '../../lib/core/testing/documents'
import { anySessionPolicy } from '../../lib/core/testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../../lib/core/testing/transcripts'
import { writeJson } from '../../lib/core/testing/write-json'
import {
  createRandom,
  insertValue,
  mutateValue,
  type Random,
  repeatIds,
  shorten,
} from './mutate-value'

export interface DamagedDocument {
  readonly text: string
  readonly policy: MaskPolicy
}

interface Base {
  readonly isLines: boolean
  /** The value of the document, or the list of the values of its lines. */
  readonly value: JsonValue
}

const ODD_PIECES = [
  '\u0000',
  '\ufeff',
  '\ud800',
  '"',
  '\\',
  '{',
  '[',
  ',',
  '\n',
  '\r\n',
  '1e999',
  'NaN',
]

/** Items of a list and characters of a text that a sample keeps. */
const SIZES: readonly (readonly [number, number])[] = [
  [2, 20],
  [3, 40],
  [5, 60],
]

/** Longer generated documents are left out. */
const MOST_CHARS = 4_000

const BASES: readonly Base[] = SAMPLE_FILES.flatMap((file) => {
  const { isLines, value } = parse(readTranscript(file))
  return SIZES.map(([items, chars]) => ({
    isLines,
    value: isLines
      ? (value as JsonValue[]).slice(0, 3 * items).map((line) => shorten(line, items, chars))
      : shorten(value, items, chars),
  }))
})

function parse(text: string): Base {
  try {
    return { isLines: false, value: JSON.parse(text) }
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return { isLines: true, value: lines.map((line) => JSON.parse(line)) }
  }
}

const anyPolicy = anySessionPolicy.map(
  (policy): MaskPolicy => ({
    ...policy,
    windowTurns: Math.max(0, policy.windowTurns),
    // Neither an address nor TOML has lone surrogates.
    placeholderTemplate: policy.placeholderTemplate.toWellFormed(),
  }),
)

export const anyDamagedDocument: fc.Arbitrary<DamagedDocument> = fc
  .record({
    policy: anyPolicy,
    base: fc.constantFrom(...BASES),
    generated: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: anyDocument },
    ),
    seed: fc.integer(),
  })
  .map(({ policy, base, generated, seed }) => {
    const random = createRandom(seed)
    const isShort = generated !== undefined && generated.text.length < MOST_CHARS
    const text = isShort ? generated.text : changed(base, random)
    return { text: random.chance(35) ? damaged(text, random) : text, policy }
  })

function changed(base: Base, random: Random): string {
  let { value } = base
  for (let changes = random.pick([0, 0, 1, 1, 2, 5]); changes > 0; changes--)
    value = mutateValue(value, random)
  if (random.chance(8)) value = repeatIds(value, random.pick(['call_1', '', '__proto__']))
  if (random.chance(8)) value = insertValue(value, random.pick(BASES).value, random)
  if (random.chance(3)) value = { request: value, response: { body: JSON.stringify(value) } }
  const isLines = random.chance(5) ? !base.isLines : base.isLines
  if (isLines && Array.isArray(value)) return value.map((line) => JSON.stringify(line)).join('\n')
  if (random.chance(80)) return JSON.stringify(value, null, random.pick([0, 0, 1, 2]))
  return writeJson(value, {
    indent: random.pick(['', '  ', '\t']),
    lineEnd: random.pick(['\n', '\r\n']),
    separator: random.pick([':', ': ', ' \t:\t']),
    escapedPercent: random.pick([0, 20, 100]),
    oddPercent: random.pick([0, 10]),
    seed: random.below(2 ** 31 - 2) + 1,
  })
}

/** Damages the text itself: cut, a piece lost, repeated, put in or replaced. */
function damaged(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const end = Math.min(text.length, at + random.below(60))
  return random.pick<() => string>([
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at) + random.pick(ODD_PIECES) + text.slice(at),
    () => random.pick(ODD_PIECES) + text,
    () => text.replace(/"role":/, '"role":"x","role":'),
    () => `${text}\n${text}`,
    () => text.replaceAll('\n', '\r\n'),
    () => text.replace(/:\s*\d+/, ': 1e999'),
    () => `${'['.repeat(random.pick([2, 600]))}${text}`,
    () => `curl https://example.org -d '${text}'`,
  ])()
}
