/** Rows of the file list: their order and totals. */
import { changePercent, type DocumentTotals, sumTotals } from '@/lib/core/mask/measure-request'
import type { Recommendation } from '@/lib/core/replay/recommend'
import type { SessionMeasure } from '@/lib/worker/file-sessions'
import { sumOf } from '../document/conversation-rows'
import { memoize, type PlaygroundState } from '../store'
import { compareNames } from './dropped-files'
import type { Column, FileFilter, FileListState, ListedFile, Sorting } from './file-list-store'

/** The listed file that is open on the page, edited or not; undefined if it is not in the list. */
export function openedFileOf(
  { files }: FileListState,
  { source }: Pick<PlaygroundState, 'source'>,
): ListedFile | undefined {
  if (source.origin.kind === 'sample' || source.name === '') return undefined
  return files.find(({ name }) => name === source.name)
}

/** The folder path that all files share, with a slash at the end; may be empty. */
export const commonFolderOf = memoize((files: readonly ListedFile[]): string => {
  const [first, ...others] = files
  if (first === undefined) return ''
  const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/') + 1)
  return others.reduce((folder, { name }) => {
    let common = folder
    while (!name.startsWith(common)) common = folderOf(common.slice(0, -1))
    return common
  }, folderOf(first.name))
})

/** Key of everything that a file's figures depend on besides its text. */
export const termsKeyOf = ({ policy, model, modelOverrides, advice }: Terms): string =>
  keyOf(policy, model, modelOverrides, advice)

/** The same of a comparison of mechanisms. */
export const comparisonKeyOf = ({ model, modelOverrides }: Omit<Terms, 'policy' | 'advice'>) =>
  keyOf(model, modelOverrides)

/** True if a file's figures are for an earlier policy, by the key of the one in use. */
export function isStale({ state }: ListedFile, key: string): boolean {
  return state.state === 'measured' && state.key !== key
}

type Terms = Pick<PlaygroundState, 'policy' | 'model' | 'modelOverrides' | 'advice'>

const keyOf = memoize((...terms: readonly unknown[]): string => JSON.stringify(terms))

const measuresOf = (files: readonly ListedFile[]) =>
  files.flatMap(({ state }) => (state.state === 'measured' ? [state.measure] : []))

/** The sessions of files that could be read. */
export const sessionsOf = (files: readonly ListedFile[]): SessionMeasure[] =>
  measuresOf(files).flatMap(({ sessions }) => sessions)

/** What a row of the table shows: a file, a session of it, or all files together. */
export interface Row {
  readonly formatLabel?: string
  readonly model?: string
  readonly problems?: number
  /** Undefined for a session. */
  readonly totals?: DocumentTotals
  readonly sessions: readonly SessionMeasure[]
  readonly recommendation?: Recommendation | undefined
}

type Figure = string | number | undefined

const ofTotals = (of: (totals: DocumentTotals) => Figure) => (row: Row) =>
  row.totals && of(row.totals)
const ofSessions =
  (of: (session: SessionMeasure) => number | undefined) =>
  ({ sessions }: Row): number | undefined =>
    sumOf(sessions.map(of))
const cachedBefore = ofSessions(({ cached }) => cached.before)
const cachedAfter = ofSessions(({ cached }) => cached.after)

/** What sessions were charged for answers that an earlier one has, too: forks share them, and the provider charged once. */
function costOfRepeatedAnswers(sessions: readonly SessionMeasure[]): number {
  const seen = new Set<string>()
  let cost = 0
  for (const { answers } of sessions.filter(({ charged }) => charged !== undefined)) {
    for (const [id, own] of answers) {
      if (seen.has(id)) cost += own
      seen.add(id)
    }
  }
  return cost
}

/** The columns: their names in the command line's output, and a row's value. Savings are in percent. */
export const FIGURES: Readonly<
  Record<Exclude<Column, 'name'>, readonly [heading: string, of: (row: Row) => Figure]>
> = {
  format: ['format', ({ formatLabel }) => formatLabel],
  conversations: ['conversations', ofTotals(({ conversations }) => conversations)],
  messages: ['messages', ofTotals(({ messages }) => messages)],
  turns: ['turns', (row) => row.totals?.turns ?? ofSessions(({ turns }) => turns)(row)],
  results: ['tool_results', ofTotals(({ results }) => results)],
  masked: ['masked_tool_results', ofTotals(({ maskedResults }) => maskedResults)],
  before: ['tokens_before', ofTotals(({ tokens }) => tokens.before)],
  after: ['tokens_after', ofTotals(({ tokens }) => tokens.after)],
  saved: [
    'saved_percent',
    ofTotals(({ tokens }) => {
      const change = changePercent(tokens)
      // Avoids -0.
      return change === undefined ? undefined : 0 - change
    }),
  ],
  problems: ['problems', ({ problems }) => problems],
  model: ['model', ({ model }) => model],
  requests: ['requests', ofSessions(({ requests }) => requests)],
  charged: [
    'charged_cost',
    ({ sessions }) => {
      const known = sessions.flatMap(({ charged }) => charged ?? [])
      return known.length === 0 ? undefined : (sumOf(known) ?? 0) - costOfRepeatedAnswers(sessions)
    },
  ],
  plainBefore: ['session_cost_before', ofSessions(({ plain }) => plain.before)],
  plainAfter: ['session_cost_after', ofSessions(({ plain }) => plain.after)],
  cachedBefore: ['session_cost_cached_before', cachedBefore],
  cachedAfter: ['session_cost_cached_after', cachedAfter],
  cachedSaved: [
    'session_cost_cached_saved_percent',
    (row) => {
      const [before, after] = [cachedBefore(row), cachedAfter(row)]
      return before && after !== undefined ? (1 - after / before) * 100 : undefined
    },
  ],
  lostUses: ['lost_uses', ofSessions(({ lostUses }) => lostUses)],
  recommended: [
    'recommended_saves_percent',
    ({ recommendation }) => {
      if (recommendation?.state === 'mask') return recommendation.savedShare * 100
      return recommendation?.state === 'do_not_mask' ? 0 : undefined
    },
  ],
}

/** A row's value in a column; a cost is unknown if that of one of its sessions is. */
export function figureOfRow(row: Row, column: keyof typeof FIGURES): Figure {
  return FIGURES[column][1](row)
}

/** A file's value in a column; undefined if unknown. */
export function figureOf(file: ListedFile, column: Column): Figure {
  if (column === 'name') return file.name
  return file.state.state === 'measured' ? figureOfRow(file.state.measure, column) : undefined
}

const sortFiles = memoize(
  (files: readonly ListedFile[], sorting: Sorting | undefined): readonly ListedFile[] => {
    if (sorting === undefined) return files
    const { column, isDescending } = sorting
    const direction = isDescending ? -1 : 1
    return files.toSorted((first, second) => {
      const a = figureOf(first, column)
      const b = figureOf(second, column)
      // Unknown values come last in both directions.
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined)
      if (typeof a === 'string' || typeof b === 'string')
        return direction * compareNames(String(a), String(b))
      return direction * (a - b)
    })
  },
)

const filterFiles = memoize(
  (files: readonly ListedFile[], filter: FileFilter): readonly ListedFile[] => {
    const { tool, model, length } = filter
    if (tool === undefined && model === undefined && length === undefined) return files
    return files.filter(({ state }) => {
      if (state.state !== 'measured') return false
      const { tools, model: own, sessions } = state.measure
      const turns = Math.max(0, ...sessions.map((session) => session.turns))
      const range = turns <= 10 ? 'upTo10' : turns <= 50 ? 'upTo50' : 'over50'
      return (
        (tool === undefined || tools.includes(tool)) &&
        (model === undefined || own === model) &&
        (length === undefined || range === length)
      )
    })
  },
)

/** The files that the filter lets through, sorted. */
export function shownFilesOf(state: Pick<FileListState, 'files' | 'filter' | 'sorting'>) {
  return sortFiles(filterFiles(state.files, state.filter), state.sorting)
}

/** What the files can be filtered by. */
export const filterChoicesOf = memoize((files: readonly ListedFile[]) => {
  const measured = measuresOf(files)
  return {
    tools: [...new Set(measured.flatMap(({ tools }) => tools))].toSorted(compareNames),
    models: [...new Set(measured.map(({ model }) => model))].toSorted(compareNames),
  }
})

const transcriptsOf = memoize((files: readonly ListedFile[]) =>
  files.filter(({ state }) => state.state === 'measured'),
)

/** The transcripts among the files, sorted. */
export function readableFilesOf(state: FileListState): readonly ListedFile[] {
  return transcriptsOf(shownFilesOf(state))
}

const sumFiles = memoize((files: readonly ListedFile[]) => {
  const measured = measuresOf(files)
  const failed = files.filter(({ state }) => state.state === 'failed').length
  return {
    row: {
      totals: sumTotals(measured.map(({ totals }) => totals)),
      problems: measured.reduce((sum, { problems }) => sum + problems, 0),
      sessions: sessionsOf(files),
    },
    /** Number of files in the totals. */
    measured: measured.length,
    failed,
    waiting: files.length - measured.length - failed,
  }
})

/** Totals of the files shown that could be read. */
export function fileListTotalsOf(state: FileListState) {
  return sumFiles(filterFiles(state.files, state.filter))
}
