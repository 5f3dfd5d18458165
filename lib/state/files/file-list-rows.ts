/** Rows of the file list: their order and totals. */

import { type DocumentTotals, sumTotals } from '@/lib/core/mask/document-totals'
import { changePercent } from '@/lib/core/mask/measure-request'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { compareNames } from './compare-names'
import type { Column, FileListState, ListedFile, Sorting, TotalsColumn } from './file-list-store'

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

/** Key of the policy and model that totals are computed with. */
export function termsKeyOf({ policy, model }: Pick<PlaygroundState, 'policy' | 'model'>): string {
  return JSON.stringify([policy, model])
}

/** A file's value in a column; undefined if unknown. */
export function figureOf(file: ListedFile, column: Column): string | number | undefined {
  if (column === 'name') return file.name
  if (file.state.state !== 'measured') return undefined
  const { formatLabel, problems, totals } = file.state.measure
  if (column === 'format') return formatLabel
  return column === 'problems' ? problems : figureOfTotals(totals, column)
}

/** `saved` is in percent of the tokens before masking. */
export function figureOfTotals(totals: DocumentTotals, column: TotalsColumn): number | undefined {
  switch (column) {
    case 'conversations':
    case 'messages':
    case 'turns':
    case 'results':
      return totals[column]
    case 'masked':
      return totals.maskedResults
    case 'before':
    case 'after':
      return totals.tokens[column]
    case 'saved': {
      const change = changePercent(totals.tokens)
      // Avoids -0.
      return change === undefined ? undefined : 0 - change
    }
  }
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

/** All files, sorted. */
export function shownFilesOf({ files, sorting }: FileListState): readonly ListedFile[] {
  return sortFiles(files, sorting)
}

const transcriptsOf = memoize((files: readonly ListedFile[]) =>
  files.filter(({ state }) => state.state === 'measured'),
)

/** The transcripts among the files, sorted. */
export function readableFilesOf(state: FileListState): readonly ListedFile[] {
  return transcriptsOf(shownFilesOf(state))
}

export interface FileListTotals {
  readonly totals: DocumentTotals
  readonly problems: number
  /** Number of files in the totals. */
  readonly measured: number
  readonly failed: number
  readonly waiting: number
}

const sumFiles = memoize((files: readonly ListedFile[]): FileListTotals => {
  const measured = files.flatMap(({ state }) => (state.state === 'measured' ? [state.measure] : []))
  const failed = files.filter(({ state }) => state.state === 'failed').length
  return {
    totals: sumTotals(measured.map(({ totals }) => totals)),
    problems: measured.reduce((sum, { problems }) => sum + problems, 0),
    measured: measured.length,
    failed,
    waiting: files.length - measured.length - failed,
  }
})

/** Totals of all files that could be read. */
export function fileListTotalsOf({ files }: FileListState): FileListTotals {
  return sumFiles(files)
}
