import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createFileList } from '../files/file-list'
import { createPlayground } from '../playground'

/** A page and a list of files; `read` opens them, in this thread. */
export function listedFiles(files: Readonly<Record<string, string>>) {
  const playground = createPlayground(spawnInline)
  const list = createFileList(playground, spawnInline)
  const named = Object.entries(files).map(([name, text]) => {
    const bytes = new TextEncoder().encode(text)
    const arrayBuffer = async () => bytes.slice().buffer
    return { name, file: { name, size: bytes.length, arrayBuffer } }
  })
  return { playground, list, read: () => list.actions.openFiles(named) }
}
