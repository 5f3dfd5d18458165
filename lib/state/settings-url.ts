/** Settings in the address: what a fragment says of the page, and the page's settings as a fragment. */
import { MAX_UNPACKED_BYTES, type UnpackedText, unpackText } from '@/lib/core/share/packed-text'
import {
  type LinkProblem,
  type LinkSettings,
  readSettingsLink,
  writeSettingsLink,
  writeSharedLink,
} from '@/lib/core/share/settings-link'
import { familyOfModel, MODEL_FAMILIES } from '@/lib/core/tokens/models'
import { firstReasons } from './first-reasons'
import { openingOf } from './opening-conversation'
import type { Playground } from './playground'
import type { PlaygroundState } from './store'

/** The sample the page opens with; links leave it out. */
export const DEFAULT_SAMPLE = 'coding-session'

/** The settings as a link carries them; no text of the transcript is among them. */
export function linkSettingsOf(state: PlaygroundState): LinkSettings {
  const { origin } = state.source
  return {
    policy: state.policy,
    pinned: state.pinned,
    sample: origin.kind === 'sample' && origin.id !== DEFAULT_SAMPLE ? origin.id : undefined,
    model: state.model,
    view: state.view,
    conversation: chosenConversation(state),
    transcript: undefined,
    unknown: state.unknownLinkPairs,
  }
}

/** The conversation shown, where it is not the one the document opens at. */
function chosenConversation({ linkConversation, conversation, read }: PlaygroundState) {
  const shown = linkConversation ?? conversation
  const opening = read === undefined ? 0 : openingOf(read.model).conversation
  return shown === opening ? undefined : shown
}

/** The fragment for the settings as they are; empty when all are at their default. */
export function settingsFragment(state: PlaygroundState): string {
  return writeSettingsLink(linkSettingsOf(state))
}

/** The fragment of a link that is copied: with it the reader gets these settings, also where all are at their default. */
export function sharedFragment(state: PlaygroundState): string {
  return writeSharedLink(linkSettingsOf(state))
}

/** What a link asks to be opened; the settings it carries are taken already. */
export interface TakenLink {
  readonly sample: string | undefined
  readonly transcript: string | undefined
  /** Index from 0; undefined where the link names none. */
  readonly conversation: number | undefined
}

/** Takes settings from a fragment into the store, as one undoable step, and says what was wrong with it. */
export function takeSettings({ store, actions }: Playground, fragment: string): TakenLink {
  const { settings, problems } = readSettingsLink(fragment)
  const { policy, pinned, model, view, conversation, sample, unknown } = settings
  const reasons = problems.flatMap((problem) => reportProblem(actions, problem))
  actions.changePolicy(policy)
  actions.endGesture()
  store.setState({ pinned, unknownLinkPairs: unknown })
  if (view !== store.getState().view) actions.setView(view)
  const isModel = model === undefined || isModelName(model, store.getState())
  if (isModel && model !== store.getState().model) actions.chooseModel(model)
  if (!isModel) {
    const known = MODEL_FAMILIES.map(({ label }) => label).join(', ')
    reasons.push(
      `m is ${JSON.stringify(model.slice(0, 60))}; expected a model such as openai/gpt-5: a provider and a name, or a name of ${known}.`,
    )
  }
  if (reasons.length > 0) {
    actions.notify('link_value', firstReasons(reasons), 'error')
  }
  const unpacked = settings.transcript === undefined ? undefined : unpackText(settings.transcript)
  if (unpacked !== undefined) reportTranscript(actions, unpacked)
  const transcript = unpacked?.state === 'unpacked' ? unpacked.text : undefined
  return { sample, transcript, conversation }
}

/** A name with its provider may be new to this version: what is not known of it then shows as unknown. */
function isModelName(model: string, { ownTerms }: PlaygroundState): boolean {
  const isWithProvider = /^[\w.-]+\/\S+$/.test(model) && model.length <= 120
  return isWithProvider || familyOfModel(model) !== undefined || Object.hasOwn(ownTerms, model)
}

/** Says what is wrong with a link as a whole; gives back the sentence on a single value, to be said with the others. */
function reportProblem(actions: Playground['actions'], problem: LinkProblem): string[] {
  switch (problem.code) {
    case 'bad_value':
      return [problem.reason]
    case 'newer_version':
      actions.notify('link_newer', { version: problem.version }, 'error')
      return []
    case 'bad_version':
      actions.notify('link_version', { version: problem.version }, 'error')
      return []
  }
}

function reportTranscript(actions: Playground['actions'], { state }: UnpackedText): void {
  if (state === 'damaged') actions.notify('link_transcript_damaged', {}, 'error')
  if (state === 'too_large') {
    actions.notify('link_transcript_large', { limit: MAX_UNPACKED_BYTES / 1e6 }, 'error')
  }
}
