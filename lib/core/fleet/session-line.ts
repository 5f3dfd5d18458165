/** A measured session as a line of JSON, and back. */
import * as v from 'valibot'
import { ReadError } from '../problem'
import { FLEET_BATCHES, FLEET_WINDOWS } from './grid'

/** The version of the lines. Lines of another version have another grid or other sums and are refused. */
const VERSION = 1

const wholeNumber = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(wholeNumber, v.minValue(0))
/** By batch and window of the grid; zeros at the end of a row, and empty rows at the end, are left out. */
const rows = v.pipe(
  v.array(v.pipe(v.array(wholeNumber), v.maxLength(FLEET_WINDOWS.length))),
  v.maxLength(FLEET_BATCHES.length),
)
/** Dollars for a million tokens; null if unknown. */
const price = v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0)))
const ofKinds = <Each extends v.GenericSchema>(each: Each) =>
  v.object({ fresh: each, read: each, written: each, output: each })
/** The tokens that have the same prices. */
const band = v.object({
  prices: ofKinds(price),
  before: ofKinds(count),
  /** What masking takes away; negative where it adds tokens of this kind. */
  saved: ofKinds(rows),
  /** What fetching all lost results again adds. */
  again: ofKinds(rows),
})
const source = {
  /** The same for the same session, wherever it was measured. */
  id: v.pipe(v.string(), v.nonEmpty()),
  file: v.string(),
  /** Index of the conversation in its file. */
  conversation: count,
}
const session = v.object({
  ...source,
  model: v.string(),
  /** Tool turns in the last request. */
  turns: count,
  requests: count,
  /** Results that some request sends, and those that the policy masks once they are old enough. */
  results: count,
  maskable: count,
  /** Later uses; those that a window loses, and the results they were read from. */
  uses: count,
  lost_uses: rows,
  lost_results: rows,
  bands: v.array(band),
})
const line = v.object({
  version: v.literal(VERSION),
  /** The settings that the sums depend on; lines with different ones cannot be added. */
  settings: v.record(v.string(), v.unknown()),
  session,
})

export type Rows = v.InferOutput<typeof rows>
export type PriceBand = v.InferOutput<typeof band>
export type SessionSums = v.InferOutput<typeof session>
export type SessionSource = Pick<SessionSums, keyof typeof source>
type SessionLine = v.InferOutput<typeof line>

export function writeSessionLine(settings: SessionLine['settings'], sums: SessionSums): string {
  return `${JSON.stringify({ version: VERSION, settings, session: sums } satisfies SessionLine)}\n`
}

/** Reads a line that is a value of JSON already; throws a `ReadError` that names the first wrong place. */
export function readSessionLine(value: unknown): SessionLine {
  const read = v.safeParse(line, value, { abortEarly: true })
  if (read.success) return read.output
  const [issue] = read.issues
  throw new ReadError('wrong_type', {
    path: v.getDotPath(issue) ?? 'The line',
    found: issue.received,
    expected: issue.expected ?? 'another value',
  })
}
