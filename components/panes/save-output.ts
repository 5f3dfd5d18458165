import type { Playground } from '@/lib/state/playground'
import { outputTextOf } from '@/lib/state/selectors'
import type { PlaygroundState } from '@/lib/state/store'
import { saveBlob } from '../save-file'
import { writeClipboard } from '../write-clipboard'

/** Copies the masked text, computed from the source text; says whether it worked. */
export async function copyOutput({ store, actions }: Playground): Promise<void> {
  const text = outputTextOf(store.getState())
  if (text === undefined) return
  if (await writeClipboard(text)) actions.notify('copied', { chars: text.length })
  else actions.notify('copy_failed', {}, 'error')
}

/** Saves the masked text as a file, in exactly these characters, as UTF-8. */
export function downloadOutput({ store, actions }: Playground): void {
  const text = outputTextOf(store.getState())
  if (text === undefined) return
  const name = outputName(store.getState())
  saveBlob(name, new Blob([text], { type: 'application/json' }))
  actions.notify('downloaded', { name })
}

/** `run.json` gives `run.masked.json`. */
function outputName({ read }: PlaygroundState): string {
  const ending = read?.model.layout === 'jsonl' ? 'jsonl' : 'json'
  const [, stem, own] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(read?.source.name ?? '') ?? []
  return `${stem || 'conversation'}.masked.${own ?? ending}`
}
