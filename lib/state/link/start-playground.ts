import { isSamePolicy } from '@/lib/core/policy/policy'
import { readSettingsLink } from '@/lib/core/share/link/settings-link'
import { openingConversationOf } from '../document/conversation-rows'
import { LINKED_NAME } from '../document/document-slice'
import { conversationOf, currentReadOf } from '../document/selectors'
import type { Drafts } from '../drafts/create-drafts'
import { type FetchText, fetchFirstSample, loadSampleList, openSample } from '../files/samples'
import { EMPTY_HISTORY } from '../history'
import type { Playground } from '../playground'
import { FIRST_VISIT_POLICY } from '../policy/policy-slice'
import { watchSessionPolicy } from '../policy/session-policy'
import { applySettings, DEFAULT_SAMPLE, settingsFragment, unpackTranscript } from './settings-url'

/**
 * Starts the page. Resumes a draft and applies a new link to it; without a draft, applies the settings in the address
 * and opens the transcript or sample it names, else the first sample.
 */
export async function startPlayground(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
  startDrafts: Drafts['start'],
): Promise<void> {
  const { store, actions } = playground
  // The conversation that a link asks for is shown once its document is read.
  store.subscribe(({ read, reading }, before) => {
    if (read !== before.read || reading !== before.reading) settleConversation(playground)
  })
  watchSessionPolicy(store)
  const { isResumed, isKnownAddress } = await startDrafts(fragment)
  if (isResumed) {
    await loadSampleList(playground, fetchText)
    if (!isKnownAddress) return followLink(playground, fragment, fetchText)
    const { view, pinned, mechanism, unknown } = readSettingsLink(fragment).settings
    store.setState({ view, pinned, mechanism, unknownLinkPairs: unknown })
    return
  }
  const { sample, transcript: packed, conversation } = applySettings(playground, fragment)
  if (conversation !== undefined) store.setState({ linkConversation: conversation })
  // The link's settings are the starting point, not a step to undo.
  store.setState({ history: EMPTY_HISTORY })
  const { policy, policyFrom } = store.getState()
  // This tab wrote the address of the sample it had: nobody sent it.
  if (isKnownAddress && policyFrom === 'link')
    store.setState({ policyFrom: isSamePolicy(policy, FIRST_VISIT_POLICY) ? 'session' : 'user' })
  const transcript = await unpackTranscript(playground, packed)
  if (transcript !== undefined) actions.openText(transcript, LINKED_NAME, { kind: 'link' })
  const isFirstSample = sample === undefined && transcript === undefined
  const [first] = await Promise.all([
    isFirstSample ? fetchFirstSample(fetchText) : undefined,
    loadSampleList(playground, fetchText),
  ])
  if (sample !== undefined && transcript === undefined) {
    await openSample(playground, sample, fetchText)
  }
  const { source } = store.getState()
  if (source.text === '') await openSample(playground, DEFAULT_SAMPLE, fetchText, first)
}

/**
 * Applies a link opened over the running page; the user can undo it. `isOwnEntry` is true if the browser went back or
 * forward within this page: then the user is not notified.
 */
export async function followLink(
  playground: Playground,
  fragment: string,
  fetchText: FetchText,
  isOwnEntry = false,
): Promise<void> {
  const { store, actions } = playground
  const before = store.getState()
  const { sample, transcript: packed, conversation } = applySettings(playground, fragment)
  // A link without a conversation leaves the shown one; a history entry of this page means the opening one.
  const { origin } = before.source
  const isOtherSample = sample !== undefined && !(origin.kind === 'sample' && origin.id === sample)
  const opening = isOtherSample
    ? undefined
    : before.read && openingConversationOf(before.read.model)
  const asked = conversation ?? (isOwnEntry ? opening?.conversation : undefined)
  if (asked !== undefined) store.setState({ linkConversation: asked })
  const { policyFrom } = store.getState()
  if (isOwnEntry && policyFrom === 'link') store.setState({ policyFrom: before.policyFrom })
  const beforeLink = settingsFragment(before)
  if (!isOwnEntry && beforeLink !== settingsFragment(store.getState())) {
    store.setState({ beforeLink })
    actions.notify('link_applied')
  }
  const transcript = await unpackTranscript(playground, packed)
  const { source } = store.getState()
  const isOwnText = source.origin.kind !== 'sample' && source.text !== ''
  if (transcript !== undefined) {
    if (!isOwnText) actions.openText(transcript, LINKED_NAME, { kind: 'link' })
    else if (transcript !== source.text) {
      store.setState({ linkTranscript: transcript })
      actions.notify('link_transcript_waits', { chars: transcript.length })
    }
  } else if (isOtherSample) {
    if (!isOwnText) return openSample(playground, sample, fetchText)
    if (!isOwnEntry) actions.notify('link_own_text', { sample: sample.slice(0, 60) })
  }
  settleConversation(playground)
}

/** Takes back what a link opened over the page has changed, as the browser's Back does. */
export async function takeBackLink(playground: Playground, fetchText: FetchText): Promise<void> {
  const { beforeLink } = playground.store.getState()
  if (beforeLink !== undefined) await followLink(playground, beforeLink, fetchText, true)
}

function settleConversation({ store, actions }: Playground): void {
  const state = store.getState()
  const { linkConversation, reading } = state
  const read = reading.state === 'read' ? currentReadOf(state) : undefined
  if (linkConversation === undefined || read === undefined) return
  store.setState({ linkConversation: undefined })
  const count = read.model.conversations.length
  if (linkConversation >= count) {
    actions.notify('link_conversation', { number: linkConversation + 1, count })
  } else if (linkConversation !== state.conversation || conversationOf(state) === undefined) {
    actions.chooseConversation(linkConversation)
  }
}
