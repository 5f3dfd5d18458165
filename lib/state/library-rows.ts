/** The list as a table: its order, its totals, and as text for a spreadsheet. */

import { type DocumentTotals, sumTotals } from '@/lib/core/mask/document-totals'
import { changePercent } from '@/lib/core/mask/measure-request'
import { compareNames } from './compare-names'
import type { Column, LibraryFile, LibraryState, Sorting } from './library-store'
import { remembered } from './remembered'
import type { PlaygroundState } from './store'

/** The file that is open in the page, typed into or not; undefined when that is none of the list. */
export function openedFileOf(
  { files }: LibraryState,
  { source }: Pick<PlaygroundState, 'source'>,
): LibraryFile | undefined {
  if (source.origin.kind === 'sample' || source.name === '') return undefined
  return files.find(({ name }) => name === source.name)
}

/** The folders all files lie in, with a slash at the end; empty when there are none. */
export const commonFolderOf = remembered((files: readonly LibraryFile[]): string => {
  const [first, ...others] = files
  if (first === undefined) return ''
  const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/') + 1)
  return others.reduce((folder, { name }) => {
    let common = folder
    while (!name.startsWith(common)) common = folderOf(common.slice(0, -1))
    return common
  }, folderOf(first.name))
})

/** Tells the terms under which totals are worked out. */
export function termsKeyOf({ policy, model }: Pick<PlaygroundState, 'policy' | 'model'>): string {
  return JSON.stringify([policy, model])
}

/** A figure of a file; undefined where it is not known. */
export function figureOf(file: LibraryFile, column: Column): string | number | undefined {
  if (column === 'name') return file.name
  if (file.state.state !== 'surveyed') return undefined
  const { formatLabel, problems, totals } = file.state.facts
  if (column === 'format') return formatLabel
  return column === 'problems' ? problems : figureOfTotals(totals, column)
}

export type TotalsColumn = Exclude<Column, 'name' | 'format' | 'problems'>

/** Saved is in percent of the tokens before, positive when there are fewer after. */
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
      // Not minus zero.
      return change === undefined ? undefined : 0 - change
    }
  }
}

const sortFiles = remembered(
  (files: readonly LibraryFile[], sorting: Sorting | undefined): readonly LibraryFile[] => {
    if (sorting === undefined) return files
    const { column, isDescending } = sorting
    const direction = isDescending ? -1 : 1
    return files.toSorted((first, second) => {
      const a = figureOf(first, column)
      const b = figureOf(second, column)
      // What is not known comes last, whatever the direction.
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined)
      if (typeof a === 'string' || typeof b === 'string')
        return direction * compareNames(String(a), String(b))
      return direction * (a - b)
    })
  },
)

/** The files in the order chosen. */
export function shownFilesOf({ files, sorting }: LibraryState): readonly LibraryFile[] {
  return sortFiles(files, sorting)
}

const transcriptsOf = remembered((files: readonly LibraryFile[]) =>
  files.filter(({ state }) => state.state === 'surveyed'),
)

/** The files that are transcripts, in the order chosen. */
export function readableFilesOf(state: LibraryState): readonly LibraryFile[] {
  return transcriptsOf(shownFilesOf(state))
}

export interface LibraryTotals {
  readonly totals: DocumentTotals
  readonly problems: number
  /** Files that are in the totals. */
  readonly surveyed: number
  readonly failed: number
  readonly waiting: number
}

const sumFiles = remembered((files: readonly LibraryFile[]): LibraryTotals => {
  const surveyed = files.flatMap(({ state }) => (state.state === 'surveyed' ? [state.facts] : []))
  const failed = files.filter(({ state }) => state.state === 'failed').length
  return {
    totals: sumTotals(surveyed.map(({ totals }) => totals)),
    problems: surveyed.reduce((sum, { problems }) => sum + problems, 0),
    surveyed: surveyed.length,
    failed,
    waiting: files.length - surveyed.length - failed,
  }
})

/** All files that could be read, together. */
export function libraryTotalsOf({ files }: LibraryState): LibraryTotals {
  return sumFiles(files)
}
