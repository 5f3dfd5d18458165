/** Handlers of the jobs on Parquet files; the last file stays open. */
import type { ParquetRows } from '@/lib/core/files/parquet'
import { messageOf, problemOfReading, ReadError } from '@/lib/core/problem'
import type { ParquetFile } from './file-jobs'
import type { Jobs } from './jobs'

/** Only the workers of the file list have this code, which the first load of the page is without. */
export const loadParquet = () => import('@/lib/core/files/parquet')

export function createParquetJobs() {
  let last: { readonly id: number; readonly rows: Promise<ParquetRows> } | undefined

  const rowsOf = ({ id, name, file }: ParquetFile) => {
    const slice = (start: number, end?: number) =>
      file
        .slice(start, end)
        .arrayBuffer()
        .catch((error: unknown) => {
          throw new ReadError('unreadable_file', { reason: messageOf(error) })
        })
    const open = async () =>
      (await loadParquet()).openParquet(name, { byteLength: file.size, slice })
    if (last?.id !== id) last = { id, rows: open() }
    return last.rows
  }

  const answer = async <Output>(work: () => Promise<Output>) => {
    try {
      return { state: 'done', output: await work() } as const
    } catch (error) {
      return { state: 'unreadable', problem: problemOfReading(error) } as const
    }
  }

  return {
    openParquet: (input: Jobs['openParquet']['input']) =>
      answer(async () => {
        const { count, nameOf } = await rowsOf(input)
        const names = Array.from({ length: Math.min(count, input.limit) }, (_, row) => nameOf(row))
        return { count, names }
      }),
    readParquetRow: (input: Jobs['readParquetRow']['input']) =>
      answer(async () => (await rowsOf(input)).read(input.row)),
  }
}
