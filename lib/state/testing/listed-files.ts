import { turnOf } from '@/lib/core/testing/conversation-of'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { NamedFile } from '../files/dropped-files'
import { createFileList } from '../files/file-list'
import { createPlayground } from '../playground'

/** A file as the browser gives it. */
export function fileOf(name: string, content: string | Uint8Array): NamedFile {
  return { name, file: new Blob([content as BlobPart]) }
}

/** A page that masks all but the last turn, and its list of files. */
export function opened() {
  const playground = createPlayground(spawnInline)
  playground.actions.changePolicy({ enabled: true, windowTurns: 1 })
  return { playground, fileList: createFileList(playground, spawnInline) }
}

/** A transcript of three turns. */
export const CHAT = (model: string, text: string) =>
  JSON.stringify({
    model,
    messages: [
      { role: 'user', content: 'go' },
      ...[1, 2, 3].flatMap((turn) => turnOf(`c${turn}`, `${text} `.repeat(80 * turn))),
    ],
  })
