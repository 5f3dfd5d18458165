import type { Playground } from './playground'
import { conversationOf, decisionsOf } from './selectors'
import type { SampleEntry } from './store'

/** Reads a text of this site; undefined when it cannot be had. */
export type FetchText = (path: string) => Promise<string | undefined>

/** Learns which samples the site has. */
export async function loadSampleList({ store }: Playground, fetchText: FetchText): Promise<void> {
  const text = await fetchText('samples/index.json')
  if (text !== undefined) store.setState({ samples: JSON.parse(text) as SampleEntry[] })
}

/** Opens a sample; an unknown or missing one is said, and the text stays. */
export async function openSample(
  { store, actions }: Playground,
  id: string,
  fetchText: FetchText,
): Promise<void> {
  const before = store.getState().source.id
  const entry = store.getState().samples.find((sample) => sample.id === id)
  const text = entry && (await fetchText(`samples/${entry.file}`))
  if (entry === undefined || text === undefined) {
    actions.notify('sample_missing', { sample: id.slice(0, 60) }, 'error')
    return
  }
  // Whoever typed or opened something meanwhile keeps it.
  if (store.getState().source.id !== before) return
  actions.openText(text, entry.file, { kind: 'sample', id })
  showMasking({ store, actions })
}

/** Once the text just opened is read, chooses its first masked result: a sample shows what it is for. */
function showMasking({ store, actions }: Playground): void {
  const { source } = store.getState()
  const stop = store.subscribe((state) => {
    if (state.source.id !== source.id || state.reading.state === 'failed') return stop()
    if (state.read?.source.id !== source.id) return
    const first = decisionsOf(state)?.[0]?.findIndex(({ action }) => action === 'mask') ?? -1
    const result = conversationOf(state)?.results[first]
    stop()
    if (result !== undefined && state.selection === undefined) {
      actions.select(result.message, first, 'page')
    }
  })
}
