/** Compares mechanisms on the listed files, on request: each file once, so that a filter only adds up anew. */
import { asItRan, UNCHANGED } from '@/lib/core/mechanisms/as-it-ran'
import { addFigures, bestFigures, triedSettings } from '@/lib/core/mechanisms/best-settings'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { schema1 } from '@/lib/core/mechanisms/schema1'
import type { FileComparison } from '@/lib/worker/file-sessions'
import { type ComparedMechanisms, leastOf } from '../costs/mechanisms'
import type { Playground } from '../playground'
import { memoize } from '../store'
import { comparisonKeyOf, readableFilesOf } from './file-list-rows'
import type { createFileListStore, createFileListWorkers, ListedFile } from './file-list-store'

/** Compares the files shown that are not compared yet, until all are or this is no longer the newest run. */
export async function compareFiles(
  { getState: get, setState: set }: ReturnType<typeof createFileListStore>,
  workers: Pick<ReturnType<typeof createFileListWorkers>, 'measure'>,
  playground: Playground,
  isNewest: () => boolean,
): Promise<void> {
  for (;;) {
    const page = playground.store.getState()
    const key = comparisonKeyOf(page)
    const files = readableFilesOf({ ...get(), sorting: undefined })
    const due = files.filter(({ compared }) => compared?.key !== key)
    const [next] = due
    if (next?.content === undefined) break
    const { id, name, content } = next
    const tell = (done: number) => {
      const progress = { done: files.length - due.length + done, all: files.length }
      if (isNewest()) set({ comparing: progress })
    }
    tell(0)
    const { policy, model, advice } = page
    const request = { file: id, name, policy, model, advice, isCompared: true } as const
    const measuring = workers.measure(request, content.bytes, tell)
    const measure = await measuring.catch(() => ({ compared: undefined }))
    // It was stopped.
    if (!isNewest() || measure === undefined) break
    const compared = { key, output: measure.compared }
    const replaced = get().files.map((file) => (file.id === id ? { ...file, compared } : file))
    set({ files: replaced })
  }
  if (isNewest()) set({ comparing: undefined })
}

/** The sum of the files that are compared; those with an unknown price are in it only if no price is known. */
export const fileComparisonOf = memoize(
  (files: readonly ListedFile[], key: string, keptShare: number) => {
    const readable = files.filter(({ state }) => state.state === 'measured')
    const compared = readable.flatMap((file) => file.compared ?? [])
    const known = compared.flatMap(({ output }) => (output?.sessions ? [output] : []))
    const priced = known.filter(({ isPriced }) => isPriced)
    const used = priced.length > 0 ? priced : known
    const sum = (of: (file: FileComparison) => number) =>
      used.reduce((total, file) => total + of(file), 0)
    const laterUses = sum((file) => file.laterUses)
    const measured = (id: string) => {
      const figures = addFigures(used.map((file) => file.figures[id] as Float64Array))
      const { rows = [] } = id === schema1.id ? schema1 : (MECHANISM_FACTS[id] ?? {})
      return { id, ...bestFigures(triedSettings({ rows }), figures, laterUses, keptShare) }
    }
    const comparison = (): ComparedMechanisms => {
      const isCleared = used.some(({ hasClearings }) => hasClearings)
      const ids = Object.keys(MECHANISM_FACTS).filter((id) => isCleared || id !== asItRan.id)
      const rows = ids.map(measured).sort((a, b) => leastOf(a) - leastOf(b))
      const limit = sum((file) => file.limit ?? Number.NaN)
      return {
        unchanged: measured(UNCHANGED.id).measure,
        ...{ rows, laterUses, areAllKnown: true, asked: ids.length },
        limit: Number.isNaN(limit) ? undefined : limit,
      }
    }
    return {
      comparison: used.length > 0 ? comparison() : undefined,
      sessions: sum((file) => file.sessions),
      readable: readable.length,
      /** Files that are compared by the model and prices in use, and compared ones that are not in the sum. */
      done: compared.filter((one) => one.key === key).length,
      leftOut: compared.filter(({ output }) => output?.sessions !== 0).length - used.length,
    }
  },
)
