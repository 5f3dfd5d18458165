import { EMPTY_HISTORY } from './history'
import type { Playground } from './playground'
import { type FetchText, loadSampleList, openSample } from './samples'
import { DEFAULT_SAMPLE, takeSettings } from './settings-url'

/** Starts the page: settings from the address, then the sample it names or the first one. */
export async function startPlayground(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
): Promise<void> {
  const sample = takeSettings(playground, fragment)
  // What a link set is where this page starts from, not a step to undo.
  playground.store.setState({ history: EMPTY_HISTORY })
  await loadSampleList(playground, fetchText)
  if (sample !== undefined) await openSample(playground, sample, fetchText)
  const { source } = playground.store.getState()
  if (source.text === '') await openSample(playground, DEFAULT_SAMPLE, fetchText)
}

/** Follows a link opened over the running page: its settings are taken, the reader's own transcript stays. */
export async function followLink(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
): Promise<void> {
  const sample = takeSettings(playground, fragment)
  const { origin } = playground.store.getState().source
  if (sample === undefined || (origin.kind === 'sample' && origin.id === sample)) return
  if (origin.kind === 'sample') await openSample(playground, sample, fetchText)
  else playground.actions.notify('link_own_text', { sample: sample.slice(0, 60) })
}
