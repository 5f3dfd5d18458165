import type { Playground } from './playground'
import { conversationOf, decisionsOf } from './selectors'
import type { FormatSampleEntry, SampleEntry } from './store'

/** Reads a text of this site; undefined when it cannot be had. */
export type FetchText = (path: string) => Promise<string | undefined>

/** Learns which samples the site has. */
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

/** Opens a sample; an unknown or missing one is said, and the text stays. */
export async function openSample(
  { store, actions }: Playground,
  id: string,
  fetchText: FetchText,
): Promise<void> {
  const { source, samples, formatSamples } = store.getState()
  const entry = [...samples, ...formatSamples].find((sample) => sample.id === id)
  const text = entry && (await fetchText(`samples/${entry.file}`))
  if (entry === undefined || text === undefined) {
    actions.notify('sample_missing', { sample: id.slice(0, 60) }, 'error')
    return
  }
  // Whoever typed or opened something meanwhile keeps it.
  if (store.getState().source.id !== source.id) return
  actions.openText(text, sampleFileName(entry.file), { kind: 'sample', id })
  showMasking({ store, actions })
}

/** The name of a sample's file, without its folders. */
export function sampleFileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** Once the text just opened is read, chooses its first masked result: a sample shows what it is for. */
function showMasking({ store, actions }: Pick<Playground, 'store' | 'actions'>): void {
  const { source } = store.getState()
  const stop = store.subscribe((state) => {
    if (state.source.id !== source.id || state.reading.state === 'failed') return stop()
    if (state.read?.source.id !== source.id) return
    const first =
      decisionsOf(state)?.[state.conversation]?.findIndex(({ action }) => action === 'mask') ?? -1
    const result = conversationOf(state)?.results[first]
    stop()
    if (result !== undefined && state.selection === undefined) {
      actions.select(result.message, first, 'page')
    }
  })
}
