/** A measured session as a line of JSON, and back. */
import * as v from 'valibot'
import { ReadError } from '../problem'
import { FLEET_BATCHES, FLEET_WINDOWS, type PriceBand, type SessionSums } from './session-sums'

/** The version of the lines. Lines of another version have another grid or other sums and are refused. */
const VERSION = 1

export interface SessionLine {
  readonly version: number
  /** The settings that the sums depend on; lines with different ones cannot be added. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly session: SessionSums
}

const wholeNumber = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(wholeNumber, v.minValue(0))
const rows = v.pipe(
  v.array(v.pipe(v.array(wholeNumber), v.maxLength(FLEET_WINDOWS.length))),
  v.maxLength(FLEET_BATCHES.length),
)
const price = v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0)))
const ofKinds = <Each extends v.GenericSchema>(each: Each) =>
  v.object({ fresh: each, read: each, written: each, output: each })
const band: v.GenericSchema<PriceBand> = v.object({
  prices: ofKinds(price),
  before: ofKinds(count),
  saved: ofKinds(rows),
  again: ofKinds(rows),
})
const session: v.GenericSchema<SessionSums> = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  file: v.string(),
  conversation: count,
  model: v.string(),
  turns: count,
  requests: count,
  results: count,
  maskable: count,
  uses: count,
  lost_uses: rows,
  lost_results: rows,
  bands: v.array(band),
})
const line: v.GenericSchema<SessionLine> = v.object({
  version: v.literal(VERSION),
  settings: v.record(v.string(), v.unknown()),
  session,
})

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
