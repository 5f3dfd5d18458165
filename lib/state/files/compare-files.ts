/** Compares mechanisms on the listed files, on request: each file once, so that a filter only adds up anew. */
import type { Playground } from '../playground'
import { comparisonKeyOf, readableFilesOf } from './file-list-rows'
import type { createFileListStore, createFileListWorkers } from './file-list-store'

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
