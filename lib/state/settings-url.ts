/** Settings in the address: read at the start and when the fragment changes, written as they change. */
import {
  type LinkProblem,
  readSettingsLink,
  writeSettingsLink,
} from '@/lib/core/share/settings-link'
import { familyOfModel, MODEL_FAMILIES } from '@/lib/core/tokens/models'
import { MODEL_OF_OLD_LINK } from './models'
import type { Playground } from './playground'
import type { PlaygroundState } from './store'

/** The sample the page opens with; links leave it out. */
export const DEFAULT_SAMPLE = 'coding-session'

/** The fragment for the settings as they are; empty when all are at their default. */
export function settingsFragment(state: PlaygroundState): string {
  const { origin } = state.source
  return writeSettingsLink({
    policy: state.policy,
    sample: origin.kind === 'sample' && origin.id !== DEFAULT_SAMPLE ? origin.id : undefined,
    model: state.model,
    unknown: state.unknownLinkPairs,
  })
}

/** Takes settings from a fragment into the store, as one undoable step; returns the sample it names. */
export function takeSettings({ store, actions }: Playground, fragment: string): string | undefined {
  const { settings, problems } = readSettingsLink(fragment)
  const reasons = problems.flatMap((problem) => reportProblem(actions, problem))
  actions.changePolicy(settings.policy)
  actions.endGesture()
  store.setState({ unknownLinkPairs: settings.unknown })
  const { model } = settings
  if (model !== undefined && isModelName(model, store.getState()))
    actions.chooseModel(MODEL_OF_OLD_LINK[model] ?? model)
  else if (model !== undefined) {
    const known = MODEL_FAMILIES.map(({ label }) => label).join(', ')
    const reason = `m is ${JSON.stringify(model.slice(0, 60))}; expected a model such as openai/gpt-5: a provider and a name, or a name of ${known}.`
    reasons.push(reason)
  }
  if (reasons.length > 0) {
    actions.notify('link_value', { count: reasons.length, reason: reasons.join(' ') }, 'error')
  }
  return settings.sample
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

/** Safari refuses more than about 50 address changes in 30 seconds. */
const MILLISECONDS_BETWEEN_WRITES = 700

/** Writes the fragment when settings change, at most so often, the last change always; returns the way to stop. */
export function followSettings(
  { store }: Playground,
  write: (fragment: string) => void,
): () => void {
  let written = settingsFragment(store.getState())
  let timer: ReturnType<typeof setTimeout> | undefined
  let wroteAt = 0
  const flush = () => {
    timer = undefined
    const fragment = settingsFragment(store.getState())
    if (fragment === written) return
    written = fragment
    wroteAt = Date.now()
    write(fragment)
  }
  const stop = store.subscribe((state) => {
    if (timer !== undefined || settingsFragment(state) === written) return
    timer = setTimeout(flush, Math.max(60, wroteAt + MILLISECONDS_BETWEEN_WRITES - Date.now()))
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}
