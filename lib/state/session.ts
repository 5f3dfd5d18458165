/** The page's work as a session file, and a session file as the page's work. */
import { isSamePolicy } from '@/lib/core/policy/policy'
import type { OwnTerms, OwnTermsByModel } from '@/lib/core/replay/own-terms'
import {
  NO_UNKNOWN_KEYS,
  readSessionFile,
  type SessionFile,
  type SessionProblem,
} from '@/lib/core/share/session-file'
import { firstReasons } from './first-reasons'
import type { Playground } from './playground'
import type { DocumentExtras, PlaygroundState } from './store'

const NO_EXTRAS: DocumentExtras = { notes: '', unknown: NO_UNKNOWN_KEYS }

/** The notes on the document that is open, and what else goes with it. */
export function extrasOf({ extras, source }: PlaygroundState): DocumentExtras {
  return extras[source.document] ?? NO_EXTRAS
}

/** Takes notes on the document that is open. */
export function changeNotes({ store }: Playground, notes: string): void {
  store.setState((state) => {
    const document = { ...extrasOf(state), notes }
    return { extras: { ...state.extras, [state.source.document]: document } }
  })
}

/** What a session file of the page holds. */
export function sessionOf(state: PlaygroundState): SessionFile {
  const { source, policy, model, ownTerms } = state
  const { notes, unknown } = extrasOf(state)
  const { name, text, readAs } = source
  return { name, text, readAs, policy, model, prices: ownTerms, notes, unknown }
}

/** `run.json` gives `run.masking.json`. */
export function sessionFileName({ source }: PlaygroundState): string {
  const stem = source.name.replace(/\.(jsonl?|ndjson|traj|har|txt|log)$/i, '')
  return `${stem || 'conversation'}.masking.json`
}

/**
 * Opens a session file in the place of what is there, as one step to undo; says what of it could not be used.
 * Throws a `ReadError` when it is damaged; what was open then stays.
 */
export function openSession(playground: Playground, text: string, fileName: string): void {
  const { store, actions } = playground
  const { session, problems } = readSessionFile(text)
  const name = session.name || fileName.replace(/\.masking\.json$/i, '.json')
  actions.openText(session.text, name, { kind: 'file' }, session.readAs)
  const { source, policy, ownTerms, extras } = store.getState()
  const { notes, unknown } = session
  store.setState({
    policy: isSamePolicy(policy, session.policy) ? policy : session.policy,
    extras: { ...extras, [source.document]: { notes, unknown } },
    ownTerms: { ...ownTerms, ...session.prices },
    replacedTerms: replacedBy(ownTerms, session.prices),
  })
  if (session.model !== store.getState().model) actions.chooseModel(session.model)
  actions.notify('session_opened', { name: fileName })
  reportProblems(actions, problems)
  const models = Object.keys(store.getState().replacedTerms)
  if (models.length > 0) {
    actions.notify('session_prices', { count: models.length, models: models.join(', ') })
  }
}

/** Puts the reader's own prices back where a session file's took their place. */
export function restoreOwnTerms({ store }: Playground): void {
  store.setState(({ ownTerms, replacedTerms }) => ({
    ownTerms: { ...ownTerms, ...replacedTerms },
    replacedTerms: {},
  }))
}

function replacedBy(own: OwnTermsByModel, others: OwnTermsByModel): OwnTermsByModel {
  return Object.fromEntries(
    Object.entries(own).filter(([model, terms]) => {
      const other = Object.hasOwn(others, model) ? others[model] : undefined
      return other !== undefined && !isSameTerms(terms, other)
    }),
  )
}

function isSameTerms(one: OwnTerms, other: OwnTerms): boolean {
  const keys = Object.keys({ ...one, ...other }) as (keyof OwnTerms)[]
  return keys.every((key) => one[key] === other[key])
}

function reportProblems(actions: Playground['actions'], problems: readonly SessionProblem[]): void {
  const reasons: string[] = []
  for (const problem of problems) {
    switch (problem.code) {
      case 'newer_version':
        actions.notify('session_newer', { version: problem.version }, 'error')
        break
      case 'bad_version':
        actions.notify('session_version', { version: problem.version }, 'error')
        break
      case 'bad_value':
        reasons.push(problem.reason)
        break
    }
  }
  if (reasons.length === 0) return
  actions.notify('session_value', firstReasons(reasons), 'error')
}
