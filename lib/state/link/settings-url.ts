import { isSamePolicy } from '@/lib/core/policy/policy'
import { escapeMarkup } from '@/lib/core/report/escape-text'
import {
  LINK_DEFAULTS,
  type LinkSettings,
  readSettingsLink,
  type SetMechanism,
  writeSettingsLink,
  writeSharedLink,
} from '@/lib/core/share/link/settings-link'
import { familyOfModel, MODEL_FAMILIES } from '@/lib/core/tokens/model-families'
import { phrase } from '@/lib/core/words/words'
import { openingConversationOf } from '../document/conversation-rows'
import { LINKED_NAME, type SourceText } from '../document/document-slice'
import { conversationOf, currentReadOf } from '../document/selectors'
import type { Drafts } from '../drafts/create-drafts'
import { type FetchText, fetchFirstSample, loadSampleList, openSample } from '../files/samples'
import { EMPTY_HISTORY } from '../history'
import { notifyProblems } from '../notices'
import type { Playground } from '../playground'
import { FIRST_VISIT_POLICY } from '../policy/policy-slice'
import { watchSessionPolicy } from '../policy/session-policy'
import type { PlaygroundState } from '../store'

/** The sample the page opens with; links leave it out. */
export const DEFAULT_SAMPLE = 'coding-session'

function isDefaultSample({ origin }: SourceText): boolean {
  return origin.kind === 'sample' && origin.id === DEFAULT_SAMPLE
}

/** The settings of a link, without any text of the transcript. */
export function linkSettingsOf(state: PlaygroundState, hasComparison = true): LinkSettings {
  const { origin } = state.source
  const shown = state.linkConversation ?? state.conversation
  const opening = state.read ? openingConversationOf(state.read.model).conversation : 0
  return {
    policy: state.policy,
    pinned: hasComparison ? state.pinned : undefined,
    sample: origin.kind === 'sample' && origin.id !== DEFAULT_SAMPLE ? origin.id : undefined,
    model: state.model,
    view: state.view,
    mechanism: state.mechanism,
    // None if the document opens at it.
    conversation: shown === opening ? undefined : shown,
    transcript: undefined,
    unknown: state.unknownLinkPairs,
  }
}

/**
 * The fragment for the address, empty if all settings have their defaults. The first visit's sample has a default policy of
 * its own, so with it, an empty fragment means that policy.
 */
export function settingsFragment(state: PlaygroundState): string {
  const settings = linkSettingsOf(state)
  if (!isDefaultSample(state.source)) return writeSettingsLink(settings)
  const isFirstVisit = isSamePolicy(state.policy, FIRST_VISIT_POLICY)
  const isAllDefault =
    isFirstVisit && writeSettingsLink({ ...settings, policy: LINK_DEFAULTS }) === ''
  return isAllDefault ? '' : writeSharedLink(settings)
}

/**
 * The fragment of a copied link. It is never empty, so that it also overrides the recipient's settings with defaults. The
 * comparison is in it on request only.
 */
export function sharedFragment(state: PlaygroundState, hasComparison = false): string {
  return writeSharedLink(linkSettingsOf(state, hasComparison))
}

/** Applies the settings of a fragment as one undo step, and notifies the user of invalid values. Returns what it asks to open. */
export function applySettings(playground: Playground, fragment: string) {
  const { store, actions } = playground
  const { settings, problems: found } = readSettingsLink(fragment)
  const { policy, pinned, model, view, mechanism, conversation, sample, transcript, unknown } =
    settings
  const { source } = store.getState()
  const isEmpty = fragment.replace(/^#/, '') === ''
  const isFirst = isEmpty && (source.origin.kind === 'none' || isDefaultSample(source))
  actions.changePolicy(isFirst ? FIRST_VISIT_POLICY : policy)
  if (isFirst) store.setState({ policyFrom: 'session' })
  else if (!isEmpty) store.setState({ policyFrom: 'link' })
  actions.endGesture()
  store.setState({ pinned, mechanism, unknownLinkPairs: unknown })
  if (view !== store.getState().view) actions.setView(view)
  const problems = [...found]
  const isModel = model === undefined || isModelName(model, store.getState())
  if (isModel && model !== store.getState().model) actions.chooseModel(model)
  if (!isModel) {
    const given = JSON.stringify(model.slice(0, 60))
    const expected = phrase('model_name', { known: MODEL_FAMILIES.map(({ label }) => label) })
    const values = { path: 'm', found: given, expected }
    problems.push({ code: 'bad_value', key: 'm', reason: { key: 'wrong_type', values } })
  }
  notifyProblems(actions.notify, 'link', problems)
  if (mechanism !== undefined) void checkMechanism(playground, mechanism)
  return { sample, transcript, conversation }
}

/** Says what settings of a mechanism cannot be. Few links have one, so that its table is loaded then. */
async function checkMechanism({ actions }: Playground, { id, settings }: SetMechanism) {
  const { MECHANISM_FACTS } = await import('@/lib/core/mechanisms/mechanism-table')
  const { refusedSettings } = await import('@/lib/core/mechanisms/mechanism')
  const facts = MECHANISM_FACTS[id]
  const reasons = facts === undefined ? [] : refusedSettings(facts, settings)
  const problems = reasons.map((reason) => ({ code: 'bad_value', reason }) as const)
  notifyProblems(actions.notify, 'link', problems)
}

/** Accepts any name with a provider, because it may be newer than the price data. */
function isModelName(model: string, { modelOverrides }: PlaygroundState): boolean {
  const isWithProvider = /^[\w.-]+\/\S+$/.test(model) && model.length <= 120
  return (
    isWithProvider || familyOfModel(model) !== undefined || Object.hasOwn(modelOverrides, model)
  )
}

/** Unpacks the transcript of a link, if it has one; notifies the user if that fails. Few links need its code. */
export async function unpackTranscript({ actions }: Playground, packed: string | undefined) {
  if (packed === undefined) return undefined
  const code = await import('@/lib/core/share/link/packed-text').catch(() => undefined)
  if (code === undefined) {
    actions.notify('code_missing', {}, 'error')
    return undefined
  }
  const { MAX_UNPACKED_BYTES, unpackText } = code
  const unpacked = unpackText(packed)
  if (unpacked.state === 'unpacked') return unpacked.text
  if (unpacked.state === 'damaged') actions.notify('link_transcript_damaged', {}, 'error')
  else actions.notify('link_transcript_large', { limit: MAX_UNPACKED_BYTES / 1e6 }, 'error')
  return undefined
}

/** In pixels; the figures take some 200 of them. */
const FRAME_HEIGHT = 640

/** HTML that shows a sample under the settings in use. `site` is its address, without a slash at the end. */
export function embedCode(state: PlaygroundState, site: string, title: string): string {
  const address = escapeMarkup(`${site}/embed#${sharedFragment(state)}`)
  return `<iframe src="${address}" title="${escapeMarkup(title)}" width="100%" height="${FRAME_HEIGHT}" style="border: 0" loading="lazy"></iframe>`
}

/** The settings of a frame as a fragment for the playground, with the transcript of the frame's own link if it has one. */
export function embeddedFragment(state: PlaygroundState, transcript: string | undefined): string {
  return writeSharedLink({ ...linkSettingsOf(state), transcript })
}

/** Chat apps cut longer links. */
const CHAT_LENGTH = 2_000

/** Mail and chat programs may cut longer links. */
const MAIL_LENGTH = 8_000

/** Some browsers fail on longer addresses. */
const LARGEST_LINK = 32_000

/** Ways in which a link of some length can be sent. */
export function linkFit(length: number): 'fits' | 'mail' | 'long' | 'refused' {
  if (length > LARGEST_LINK) return 'refused'
  if (length > MAIL_LENGTH) return 'long'
  return length > CHAT_LENGTH ? 'mail' : 'fits'
}

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
