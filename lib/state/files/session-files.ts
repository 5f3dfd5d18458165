/** Saves the page as a session file and opens session files. */

import type { ModelOverrides, OverridesByModel } from '@/lib/core/replay/model-overrides'
import { NO_UNKNOWN_KEYS, readSessionFile, type SessionFile } from '@/lib/core/share/session-file'
import type { DocumentExtras } from '../document/document-slice'
import { notifyProblems } from '../notices'
import type { Playground } from '../playground'
import type { PlaygroundState } from '../store'

const NO_EXTRAS: DocumentExtras = { notes: '', unknown: NO_UNKNOWN_KEYS }

/** Notes and unknown keys of the open document. */
export function extrasOf({ extras, source }: PlaygroundState): DocumentExtras {
  return extras[source.document] ?? NO_EXTRAS
}

/** Changes the notes on the open document. */
export function changeNotes({ store }: Playground, notes: string): void {
  store.setState((state) => {
    const document = { ...extrasOf(state), notes }
    return { extras: { ...state.extras, [state.source.document]: document } }
  })
}

/** The page's content as a session file. */
export function sessionFileOf(state: PlaygroundState): SessionFile {
  const { source, policy, model, modelOverrides } = state
  const { notes, unknown } = extrasOf(state)
  const { name, text, readAs } = source
  return { name, text, readAs, policy, model, prices: modelOverrides, notes, unknown }
}

/** For example `run.masking.json` for `run.json`. */
export function sessionFileName({ source }: PlaygroundState): string {
  const stem = source.name.replace(/\.(jsonl?|ndjson|traj|har|txt|log)$/i, '')
  return `${stem || 'conversation'}.masking.json`
}

/**
 * Opens a session file as one undo step and notifies the user of parts that could not be used. Throws a `ReadError`
 * if the file is damaged; the page then stays unchanged.
 */
export function openSession(playground: Playground, text: string, fileName: string): void {
  const { store, actions } = playground
  const { session, problems } = readSessionFile(text)
  const name = session.name || fileName.replace(/\.masking\.json$/i, '.json')
  actions.openText(session.text, name, { kind: 'file' }, { readAs: session.readAs })
  const { source, modelOverrides, extras } = store.getState()
  const { notes, unknown } = session
  store.setState({
    policy: session.policy,
    // Who saved it chose it: what is recommended does not replace it.
    policyFrom: 'user',
    extras: { ...extras, [source.document]: { notes, unknown } },
    modelOverrides: { ...modelOverrides, ...session.prices },
    replacedOverrides: replacedBy(modelOverrides, session.prices),
  })
  if (session.model !== store.getState().model) actions.chooseModel(session.model)
  actions.notify('session_opened', { name: fileName })
  notifyProblems(actions.notify, 'session', problems)
  const models = Object.keys(store.getState().replacedOverrides)
  if (models.length > 0) {
    actions.notify('session_prices', { count: models.length, models: models.join(', ') })
  }
}

/** Brings back the user's overrides that a session file replaced. */
export function restoreModelOverrides({ store }: Playground): void {
  store.setState(({ modelOverrides, replacedOverrides }) => ({
    modelOverrides: { ...modelOverrides, ...replacedOverrides },
    replacedOverrides: {},
  }))
}

function replacedBy(before: OverridesByModel, others: OverridesByModel): OverridesByModel {
  return Object.fromEntries(
    Object.entries(before).filter(([model, terms]) => {
      const other = Object.hasOwn(others, model) ? others[model] : undefined
      const keys = Object.keys({ ...terms, ...other }) as (keyof ModelOverrides)[]
      return other !== undefined && keys.some((key) => terms[key] !== other[key])
    }),
  )
}
