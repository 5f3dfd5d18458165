/** The mechanism that is tried on the shown session in place of the policy, and what the worker is asked of others. */
import { addUp } from '@/lib/core/conversation/add-up'
import { repeatsByRequest } from '@/lib/core/loop/repeats'
import type { MeasuredMechanism, MechanismView } from '@/lib/core/mechanisms/mechanism-view'
import { memoizeFor } from '@/lib/core/memoize-for'
import type { Decision } from '@/lib/core/policy/decide'
import { isMaskingOff, type MaskPolicy, settingsOfPolicy } from '@/lib/core/policy/policy'
import type { Tokens } from '@/lib/core/replay/prompt-cache'
import { besideEachOther, type Replay } from '@/lib/core/replay/replay'
import type { Session, SessionRequest } from '@/lib/core/replay/sessions'
import type { MechanismInput, SentRequestInput } from '@/lib/worker/jobs'
import { repeatedOf } from '../loop/found-repeats'
import { answerTo, optional, type PlaygroundState, type Selector, select } from '../store'
import { termsOf } from './cost-terms'
import {
  calibrationsOf,
  hasClearings,
  sessionIndexOf,
  sessionOf,
  sessionsOf,
} from './shown-session'

const repeatedCallsOf = select([repeatedOf, sessionOf], repeatsByRequest)

/** By session of the file. */
const inputsOf = select(
  [
    ({ read }) => read,
    sessionsOf,
    sessionIndexOf,
    calibrationsOf,
    termsOf,
    repeatedCallsOf,
    ({ advice }) => advice.keptShare,
  ],
  ({ source }, sessions, shown, calibrations, terms, repeated, keptShare) =>
    sessions.map((_, session) => ({
      ...{ document: source.id, session, calibration: calibrations[session], terms, keptShare },
      // What is issued again counts for the shown session only.
      repeated: session === shown ? repeated : [],
    })),
)

export const sharedInputOf = (state: PlaygroundState) =>
  inputsOf(state)?.[sessionIndexOf(state) ?? -1]

type AskedMechanism = Pick<MechanismInput, 'id' | 'settings'>

export const inputOf = (
  shared: NonNullable<ReturnType<typeof sharedInputOf>>,
  asked: AskedMechanism,
): MechanismInput => memoizeFor(shared, JSON.stringify(asked), () => ({ ...shared, ...asked }))

const ownSchema1 = (policy: MaskPolicy) => ({ id: 'schema1', settings: settingsOfPolicy(policy) })

/** What the worker is asked. */
export function mechanismInputsOf(state: PlaygroundState): readonly MechanismInput[] {
  const shared = sharedInputOf(state)
  if (shared === undefined) return []
  const { compared, mechanism, policy } = state
  const tried =
    mechanism && [shared, ...(inputsOf(state) ?? [])].map((session) => inputOf(session, mechanism))
  const searched = mechanism === undefined ? compared : [mechanism.id, ...compared]
  const isAsked = compared.includes('schema1') && hasClearings(state)
  const others = [...(isAsked ? [ownSchema1(policy)] : []), ...searched.map((id) => ({ id }))]
  return [...(tried ?? []), ...others.map((one) => inputOf(shared, one))]
}

/** By session of the file: what the tried mechanism does; undefined until the worker answers. */
const allTriedOf = select(
  [inputsOf, ({ mechanism }) => mechanism, ({ answers }) => answers],
  (all, mechanism, answers) => {
    const outputs = new Map(answers.map(({ input, output }) => [input, output]))
    return all.map((one) => outputs.get(inputOf(one, mechanism)) as MeasuredMechanism | undefined)
  },
)

/** All sessions of the file together, unchanged and under the tried mechanism; undefined until all are known. */
export const triedTogetherOf = select([allTriedOf], (all) => {
  const before = addUp(all.map((one) => one?.unchanged))
  const after = addUp(all.map((one) => one?.measure))
  return before && after && { before, after, count: all.length }
})

const answerOf = (askedOf: Selector<AskedMechanism | undefined>) =>
  answerTo<'mechanism'>((state) => {
    const [shared, asked] = [sharedInputOf(state), askedOf(state)]
    return shared && asked && inputOf(shared, asked)
  })

/** Selects the worker's answer; undefined until it is there. */
export const measuredMechanismOf = (asked: AskedMechanism) => answerOf(() => asked)

/** Schema 1 with the policy in use, as other mechanisms are measured. */
export const schema1ByWorker = answerOf(({ policy }) => ownSchema1(policy))

/** The mechanism that is tried with the settings of the user, and by default and at its cheapest settings. */
export const triedMechanismOf = answerOf(({ mechanism }) => mechanism)
export const searchedMechanismOf = answerOf(({ mechanism }) => mechanism && { id: mechanism.id })

/** True while a mechanism takes the place of the policy. */
export const isTrying = ({ mechanism }: PlaygroundState): boolean => mechanism !== undefined

/** False if masking is off and nothing is tried in its place. */
export const isActive = ({ policy, mechanism }: PlaygroundState): boolean =>
  mechanism !== undefined || !isMaskingOff(policy)

/** The same state as the policy has it. */
export const withoutMechanism = (state: PlaygroundState): PlaygroundState =>
  state.mechanism === undefined
    ? state
    : memoizeFor(state, withoutMechanism, () => ({ ...state, mechanism: undefined }))

/** Selects what the policy does, also while a mechanism takes its place. */
export const ofPolicy =
  <Value>(selector: Selector<Value>): Selector<Value> =>
  (state) =>
    selector(withoutMechanism(state))

/** What it does; undefined until the worker answers. */
export const triedViewOf = (state: PlaygroundState): MechanismView | undefined =>
  triedMechanismOf(state)?.view

/** That with the settings before, until there is one. */
function shownViewOf(state: PlaygroundState): MechanismView | undefined {
  const { source } = state.read ?? {}
  const views = state.answers.flatMap(({ name, input, output }) => {
    const { document, id, session } = input as MechanismInput
    const isSame = name === 'mechanism' && document === source?.id && id === state.mechanism?.id
    return isSame && session === sessionIndexOf(state)
      ? ((output as MeasuredMechanism | null)?.view ?? [])
      : []
  })
  return triedViewOf(state) ?? views.at(-1)
}

/** By session of the file, as far as it is known. */
const viewsOf = select([shownViewOf, sessionIndexOf, allTriedOf], (shown, session, all) =>
  all.map((one, at) => (at === session ? shown : one?.view)),
)

/** True where the text of the document cannot show all that the mechanism changes: the request is written anew. */
export const isWritten = (state: PlaygroundState): boolean =>
  viewsOf(state)?.some((view) => view !== undefined && view.otherChanges > 0) === true

/** The mechanism without its main setting, once it is measured; undefined if it has none. */
export function mainCurveInputOf(state: PlaygroundState): MechanismInput | undefined {
  const [shared, key] = [sharedInputOf(state), shownViewOf(state)?.mainSetting]
  const { mechanism } = state
  if (shared === undefined || mechanism === undefined || key === undefined) return undefined
  const { [key]: _, ...others } = mechanism.settings
  const asked = { id: mechanism.id, settings: others }
  return memoizeFor(shared, `curve ${JSON.stringify(asked)}`, () => ({ ...shared, ...asked }))
}
export const mainCurveOf = answerTo<'mechanismCurve'>(mainCurveInputOf)

/** The English name of the mechanism, once it is measured. */
export const triedLabelOf = (state: PlaygroundState) => shownViewOf(state)?.label

const writtenInput = select(
  [sharedInputOf, ({ mechanism }) => mechanism, optional(({ request }) => request)],
  ({ document, session, calibration }, mechanism, request): SentRequestInput => ({
    ...{ document, session, calibration, mechanism, request },
  }),
)
export const sentInputOf = (state: PlaygroundState) =>
  triedViewOf(state) && isWritten(state) ? writtenInput(state) : undefined
/** The request that is sent last, or the earlier one that is shown, as a body of chat completions. */
export const sentRequestOf = answerTo<'sentRequest'>(sentInputOf)

const KEPT: Decision = { action: 'keep', reason: 'disabled', keptBy: [], placeholder: undefined }

/** By result: what it is in a request, as a decision, and the tokens of what stands in its place. */
const resultsAt = (view: MechanismView, results: number, request: number) =>
  memoizeFor(view, `results ${request}`, () => {
    const decisions = Array<Decision>(results).fill(KEPT)
    const tokens = Array<number>(results).fill(0)
    const changes = view.changes.slice(0, request + 1).flat()
    for (const { result, content: placeholder, ...change } of changes) {
      const isKept = placeholder === undefined
      decisions[result] = isKept ? KEPT : { ...KEPT, action: 'mask', reason: 'masked', placeholder }
      tokens[result] = change.tokens
    }
    return { decisions, tokens }
  })

/** Decisions on the results of the earlier request shown. */
export const triedDecisionsAt = select(
  [shownViewOf, sessionOf, ({ request }) => request],
  (view, { conversation: { results }, requests }, request) => {
    const sent = results.filter(({ message }) => message < (requests[request]?.end ?? 0))
    return resultsAt(view, results.length, request).decisions.slice(0, sent.length)
  },
)

/** By conversation: its results in the next request, or in its own where the document lists the requests. */
const triedResultsOf = select(
  [viewsOf, sessionsOf, ({ read }) => read],
  (views, sessions, { model }) =>
    model.conversations.map(({ results }, at) => {
      const index = sessions.findIndex(({ conversations }) => conversations.includes(at))
      const [session, view] = [sessions[index], views[index]]
      if (session === undefined || view === undefined)
        return { decisions: results.map(() => KEPT), tokens: results.map(() => 0) }
      const last = view.changes.length - 1
      const request = session.origin === 'log' ? session.conversations.indexOf(at) : last
      const found = resultsAt(view, session.conversation.results.length, request)
      const cut = <Item>(items: readonly Item[]) => items.slice(0, results.length)
      return { decisions: cut(found.decisions), tokens: cut(found.tokens) }
    }),
)

export const triedDecisionsOf = select([triedResultsOf], (all) =>
  all.map(({ decisions }) => decisions),
)
export const triedTokensOf = select([triedResultsOf], (all) => all.map(({ tokens }) => tokens))

/** The tokens of a request that ends before a message. */
export function triedRequestTokens(
  { sides, nextTokens }: Pick<MechanismView, 'sides' | 'nextTokens'>,
  requests: readonly SessionRequest[],
  end: number,
): Tokens {
  return sides[requests.findIndex((request) => request.end === end)]?.tokens ?? nextTokens
}

/** The session under the mechanism, beside itself without changes. */
export function triedReplay(session: Session, view: MechanismView): Replay {
  const masked = new Set<number>()
  const maskedResults = session.requests.map((_, at) => {
    for (const { result, content } of view.changes[at] ?? [])
      content === undefined ? masked.delete(result) : masked.add(result)
    return masked.size
  })
  return besideEachOther(session, view.before, { ...view, maskedResults })
}
