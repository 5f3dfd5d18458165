import { readSettingsLink } from '@/lib/core/share/settings-link'
import type { Drafts } from './drafts/drafts'
import { EMPTY_HISTORY } from './history'
import { openingOf } from './opening-conversation'
import type { Playground } from './playground'
import { type FetchText, loadSampleList, openSample } from './samples'
import { conversationOf } from './selectors'
import { DEFAULT_SAMPLE, settingsFragment, takeSettings } from './settings-url'
import { type BeforeLink, LINKED_NAME, type PlaygroundState } from './store'

/**
 * Starts the page: what this tab or the last one left behind, a new link's settings over it; else settings from the
 * address, then the transcript or sample it names, or the first sample.
 */
export async function startPlayground(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
  startDrafts: Drafts['start'],
): Promise<void> {
  const { store, actions } = playground
  followLinkConversation(playground)
  const { isResumed, isKnownAddress } = await startDrafts(fragment)
  if (isResumed) {
    await loadSampleList(playground, fetchText)
    if (!isKnownAddress) return followLink(playground, fragment, fetchText)
    const { view, pinned, unknown } = readSettingsLink(fragment).settings
    store.setState({ view, pinned, unknownLinkPairs: unknown })
    return
  }
  const { sample, transcript, conversation } = takeSettings(playground, fragment)
  if (conversation !== undefined) store.setState({ linkConversation: conversation })
  // What a link set is where this page starts from, not a step to undo.
  store.setState({ history: EMPTY_HISTORY })
  if (transcript !== undefined) actions.openText(transcript, LINKED_NAME, { kind: 'link' })
  await loadSampleList(playground, fetchText)
  if (sample !== undefined && transcript === undefined) {
    await openSample(playground, sample, fetchText)
  }
  const { source } = store.getState()
  if (source.text === '') await openSample(playground, DEFAULT_SAMPLE, fetchText)
}

/**
 * Follows a link opened over the running page: its settings apply to what is there, and can be taken back.
 * `isOwnEntry` says that the browser went back or forward to an entry of this page: nothing is said then.
 */
export async function followLink(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
  isOwnEntry = false,
): Promise<void> {
  const { store, actions } = playground
  const before = store.getState()
  const { sample, transcript, conversation } = takeSettings(playground, fragment)
  // A link that names none says nothing of the conversation chosen here; an entry of this page does.
  const { origin } = before.source
  const isOtherSample = sample !== undefined && !(origin.kind === 'sample' && origin.id === sample)
  const opening = isOtherSample ? undefined : before.read && openingOf(before.read.model)
  const asked = conversation ?? (isOwnEntry ? opening?.conversation : undefined)
  if (asked !== undefined) store.setState({ linkConversation: asked })
  const isChanged = settingsFragment(before) !== settingsFragment(store.getState())
  const isOwnText = origin.kind !== 'sample' && before.source.text !== ''
  if (!isOwnEntry && isChanged) {
    store.setState({ beforeLink: keptOf(before) })
    actions.notify('link_applied')
  }
  if (transcript !== undefined) {
    if (!isOwnText) actions.openText(transcript, LINKED_NAME, { kind: 'link' })
    else if (transcript !== before.source.text) {
      store.setState({ linkTranscript: transcript })
      actions.notify('link_transcript_waits', { chars: transcript.length })
    }
  } else if (isOtherSample) {
    if (!isOwnText) return openSample(playground, sample, fetchText)
    if (!isOwnEntry) actions.notify('link_own_text', { sample: sample.slice(0, 60) })
  }
  settleConversation(playground)
}

function keptOf(state: PlaygroundState): BeforeLink {
  const { policy, pinned, model, view, conversation, unknownLinkPairs } = state
  return { policy, pinned, model, view, conversation, unknownLinkPairs }
}

/** Shows the conversation a link asks for as soon as the document it belongs to is read. */
function followLinkConversation(playground: Playground): void {
  playground.store.subscribe((state, before) => {
    if (state.read !== before.read || state.reading !== before.reading)
      settleConversation(playground)
  })
}

function settleConversation({ store, actions }: Playground): void {
  const state = store.getState()
  const { linkConversation, read, source, reading } = state
  const isRead = reading.state === 'read' && read?.source.id === source.id
  if (linkConversation === undefined || !isRead) return
  store.setState({ linkConversation: undefined })
  const count = read.model.conversations.length
  if (linkConversation >= count) {
    actions.notify('link_conversation', { number: linkConversation + 1, count })
  } else if (linkConversation !== state.conversation || conversationOf(state) === undefined) {
    actions.chooseConversation(linkConversation)
  }
}
