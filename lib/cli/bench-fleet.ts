/** One setting for many sessions: as JSON and as text. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { lastConversationOf } from '../core/fleet/measure-sessions'
import type { FleetComparison, FleetSum, Interval } from '../core/fleet/recommend-fleet'
import { CONFIDENCE, RESAMPLE_SEED, RESAMPLES, recommendFleet } from '../core/fleet/recommend-fleet'
import { readSessionLine, type SessionSums, writeSessionLine } from '../core/fleet/session-line'
import { sessionSums } from '../core/fleet/session-sums'
import type { MaskPolicy } from '../core/policy/policy'
import { messageOf, ReadError } from '../core/problem'
import type { AdviceSettings } from '../core/replay/recommend'
import { describeProblem } from '../core/words/english'
import { alignedTable, percent, sentenceOf, sweepMeasure } from './bench-tables'
import { COST_FLAGS, type NamedTerms } from './cost-flags'
import { type ParsedFlags, printJson, several, UsageError } from './flags'
import type { MeasuredSessions } from './measure-document'
import type { CommandContext } from './run-command'

/** What is printed of the sessions, which `sessions` gives anew each time. */
export async function fleetReport(
  sessions: Parameters<typeof recommendFleet>[0],
  settings: AdviceSettings,
  isJson: boolean,
): Promise<string> {
  const { sum, comparison } = await recommendFleet(sessions, settings)
  return isJson
    ? printJson(fleetMeasure(sum, comparison, settings))
    : fleetText(sum, comparison, settings)
}

function fleetMeasure(
  sum: FleetSum,
  comparison: FleetComparison | undefined,
  settings: AdviceSettings,
) {
  const { batches: all, largestWindow } = sum.swept
  const batches = all.filter((batch) => batch === 'auto' || batch < largestWindow)
  const { recommended, ...swept } = sweepMeasure(sum.swept, sum.laterUses, settings, batches)
  return {
    sessions: sum.sessions,
    sessions_without_price: sum.unpriced,
    requests: sum.requests,
    ...swept,
    session_output_cost_before: sum.swept.before.costs.output ?? null,
    recommended: { ...recommended, ...comparisonMeasure(comparison) },
    saved_percent_after_refetch_by_own_settings:
      sum.savedByOwn === undefined ? null : sum.savedByOwn * 100,
    resampling: { resamples: RESAMPLES, seed: RESAMPLE_SEED, confidence: CONFIDENCE },
  }
}

function comparisonMeasure(comparison: FleetComparison | undefined) {
  if (comparison === undefined) return {}
  const { costlier, costlierAtWorst, worst, savedShare, savedAtWorst } = comparison
  const interval = ([low, high]: Interval) => [low * 100, high * 100]
  return {
    saved_percent_interval: interval(savedShare),
    saved_percent_after_refetch_interval: interval(savedAtWorst),
    costlier_sessions: costlier,
    costlier_sessions_after_refetch: costlierAtWorst,
    worst_session:
      worst === undefined
        ? null
        : {
            id: worst.id,
            file: worst.file,
            conversation: worst.conversation,
            cost_before: worst.before,
            cost_after: worst.after,
            cost_after_refetch: worst.worst,
          },
  }
}

function fleetText(
  sum: FleetSum,
  comparison: FleetComparison | undefined,
  settings: AdviceSettings,
): string {
  const unpriced = `${several(sum.unpriced, 'session')} left out: a price is unknown`
  const lines = [
    `${several(sum.sessions, 'session')}, ${several(sum.requests, 'request')}`,
    ...(sum.unpriced > 0 ? [unpriced] : []),
    '',
    sentenceOf(sum.recommendation, settings, 'these sessions'),
  ]
  if (comparison === undefined) return `${lines.join('\n')}\n`
  const { costlier, costlierAtWorst, worst, savedShare, savedAtWorst } = comparison
  const { savedByOwn } = sum
  const share = (value: number) => percent(-value * 100)
  const range = ([low, high]: Interval) => `${share(high)} to ${share(low)}`
  lines.push(
    '',
    alignedTable([
      ['', 'nothing fetched again', 'everything lost fetched again'],
      [`change, ${CONFIDENCE * 100} % of resamples`, range(savedShare), range(savedAtWorst)],
      ['sessions that cost more', String(costlier), String(costlierAtWorst)],
      ['each with its own setting', '–', savedByOwn === undefined ? '–' : share(savedByOwn)],
    ]).trimEnd(),
  )
  if (worst !== undefined) {
    const { before, worst: after, file, conversation } = worst
    const growth = percent((after / before - 1) * 100)
    lines.push(`The session that grows most, ${growth}: ${file}, conversation ${conversation + 1}.`)
  }
  return `${lines.join('\n')}\n`
}

/** The sums of each session of a document; `hash` is that of its text, which names its sessions. */
export function documentSums(
  { name: file, hash, terms: { model } }: { name: string; hash: string; terms: NamedTerms },
  { sessions, terms }: MeasuredSessions,
): SessionSums[] {
  return sessions.map((one) => {
    const conversation = lastConversationOf(one.session)
    const place = { id: `${hash}-${conversation}`, file, conversation, model }
    return sessionSums(one, terms, place)
  })
}

/** A line for each session, with the settings that its sums depend on, apart from the transcript and the prices. */
export function writeLines(
  sums: readonly SessionSums[],
  policy: MaskPolicy,
  { values }: ParsedFlags,
): string {
  const { enabled: _, windowTurns: __, batchTurns: ___, ...rest } = policy
  const costs = COST_FLAGS.map(({ name }) => [name, values.get(name)] as const)
  const given = Object.fromEntries(costs.filter(([, value]) => value !== undefined))
  return sums.map((session) => writeSessionLine({ ...rest, ...given }, session)).join('')
}

/**
 * Returns a function that reads the sessions of all files from their start. They are read line by line, as often as
 * needed, so their number is not limited by memory. The first time, every line is checked: all must be measured with the
 * same settings, and a session that two lines have must be the same in both. A last line that is cut off is left out.
 */
export function sessionLines(
  files: readonly string[],
  context: CommandContext,
): () => AsyncGenerator<SessionSums> {
  if (files.length === 0)
    throw new UsageError('Which files? Name files that --jsonl wrote, or - for standard input.')
  let input: string | undefined
  let isChecked = false
  return async function* () {
    const check = isChecked ? undefined : createCheck()
    for (const file of files) {
      if (file === '-') input ??= new TextDecoder().decode(await context.readStandardInput())
      for await (const { text, place, isCut } of linesOf(file, context.folder, input)) {
        if (text.trim() === '') continue
        const read = readLine(text, place, isCut)
        if (read === undefined) {
          if (check !== undefined)
            context.warn(`${place} is cut off and was left out; repeat the job that wrote it.`)
          continue
        }
        const { settings, session } = read
        check?.line(JSON.stringify(settings), session, place)
        yield session
      }
    }
    const repeated = check?.repeated() ?? 0
    if (repeated > 0)
      context.warn(`Lines that repeat a session: ${repeated}. Each session counts once.`)
    isChecked = true
  }
}

/** The lines of a file; `isCut` is true for a last line that does not end. */
async function* linesOf(file: string, folder: string, input: string | undefined) {
  const isInput = file === '-'
  const name = isInput ? 'Standard input' : file
  const chunks = isInput ? [input as string] : createReadStream(resolve(folder, file), 'utf8')
  let rest = ''
  let number = 0
  const line = (text: string, isCut: boolean) => {
    return { text, place: `${name}, line ${++number}`, isCut }
  }
  try {
    for await (const chunk of chunks) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() as string
      for (const text of lines) yield line(text, false)
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'ENOENT'
        ? `There is no file ${name}.`
        : `${name} cannot be read (${code ?? messageOf(error)}).`,
    )
  }
  if (rest !== '') yield line(rest, true)
}

/** What a line says; undefined for one that is cut off. */
function readLine(text: string, place: string, isCut: boolean) {
  try {
    return readSessionLine(JSON.parse(text))
  } catch (error) {
    if (isCut && error instanceof SyntaxError) return undefined
    if (!(error instanceof ReadError || error instanceof SyntaxError)) throw error
    throw new UsageError(
      error instanceof ReadError
        ? `${place}: ${describeProblem(error.problem)} Expected a line that this version of bench --jsonl wrote.`
        : `${place}: this is not JSON (${error.message}); expected a line that bench --jsonl wrote.`,
    )
  }
}

/** Compares every line with those before it. */
function createCheck() {
  let first: { readonly settings: string; readonly place: string } | undefined
  const known = new Map<string, { readonly digest: string; readonly place: string }>()
  let repeated = 0
  return {
    repeated: () => repeated,
    line(settings: string, session: SessionSums, place: string): void {
      first ??= { settings, place }
      if (first.settings !== settings)
        throw new UsageError(
          `${place} was measured with other settings than ${first.place}: found ${settings}; expected ${first.settings}.`,
        )
      const { file: _, ...figures } = session
      const digest = hashOf(JSON.stringify(figures))
      const other = known.get(session.id)
      if (other === undefined) known.set(session.id, { digest, place })
      else if (other.digest === digest) repeated++
      else
        throw new UsageError(
          `${place} and ${other.place} have other figures for the same session (${session.id}); expected the same, with the prices of one day.`,
        )
    },
  }
}

export function hashOf(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 32)
}
