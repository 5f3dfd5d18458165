/** The mechanisms on all files shown together. */
import { asItRan, UNCHANGED } from '@/lib/core/mechanisms/as-it-ran'
import { addFigures, bestFigures } from '@/lib/core/mechanisms/best-settings'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { schema1 } from '@/lib/core/mechanisms/schema1'
import type { FileComparison } from '@/lib/worker/file-sessions'
import { type ComparedMechanisms, leastOf } from '../costs/mechanisms'
import { memoize } from '../store'
import type { ListedFile } from './file-list-store'

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
      return { id, ...bestFigures({ rows }, figures, laterUses, keptShare) }
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
