import type { KnownAnswers } from '@/lib/worker/known-answers'
import type { FormatSampleEntry, SampleEntry } from '../document/document-slice'
import { conversationOf, isCurrent } from '../document/selectors'
import type { Playground } from '../playground'
import { decisionsOf } from '../policy/policy-view'

/** Fetches a text from this site; undefined if that fails. */
export type FetchText = (path: string) => Promise<string | undefined>

/** Loads the list of samples. */
export async function loadSampleList({ store }: Playground, fetchText: FetchText): Promise<void> {
  const [samples, formatSamples] = await Promise.all([
    fetchText('samples/index.json'),
    fetchText('samples/formats/index.json'),
  ])
  if (samples !== undefined) store.setState({ samples: JSON.parse(samples) as SampleEntry[] })
  if (formatSamples !== undefined) {
    store.setState({ formatSamples: JSON.parse(formatSamples) as FormatSampleEntry[] })
  }
}

/** Fetches the default sample with the answers that `scripts/first-sample` recorded; undefined where there are none. */
export async function fetchFirstSample(fetchText: FetchText): Promise<KnownAnswers | undefined> {
  const path = process.env.NEXT_PUBLIC_FIRST_SAMPLE
  const text = path && (await fetchText(path))
  try {
    return text ? (JSON.parse(text) as KnownAnswers) : undefined
  } catch {
    // Some hosts answer with a page in place of a missing file.
    return undefined
  }
}

/** Opens a sample, which may have been fetched before. Notifies the user if there is no such sample. */
export async function openSample(
  { store, actions, learn }: Playground,
  id: string,
  fetchText: FetchText,
  fetched?: KnownAnswers,
): Promise<void> {
  const { source, samples, formatSamples } = store.getState()
  const entry = [...samples, ...formatSamples].find((sample) => sample.id === id)
  const text = fetched?.text ?? (entry && (await fetchText(`samples/${entry.file}`)))
  if (fetched !== undefined) learn(fetched)
  if (entry === undefined || text === undefined) {
    // A sandbox gives the page an origin of its own, for which the files of its site are another's.
    if (globalThis.origin === 'null') actions.notify('frame_sandboxed', {}, 'error')
    else actions.notify('sample_missing', { sample: id.slice(0, 60) }, 'error')
    return
  }
  // Do not replace what the user typed or opened meanwhile.
  if (store.getState().source.id !== source.id) return
  actions.openText(text, sampleFileName(entry.file), { kind: 'sample', id })
  showMasking({ store, actions })
}

/** File name of a sample, without folders. */
export function sampleFileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** Selects the first masked result once the sample is read, to show what masking does. */
function showMasking({ store, actions }: Pick<Playground, 'store' | 'actions'>): void {
  const { source } = store.getState()
  const stop = store.subscribe((state) => {
    if (state.source.id !== source.id || state.reading.state === 'failed') return stop()
    if (!isCurrent(state)) return
    const first =
      decisionsOf(state)?.[state.conversation]?.findIndex(({ action }) => action === 'mask') ?? -1
    const result = conversationOf(state)?.results[first]
    stop()
    if (result !== undefined && state.selection === undefined) {
      actions.select(result.message, first, 'page')
    }
  })
}
