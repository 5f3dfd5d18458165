/** A session under a mechanism, as a page shows it in place of a policy. */
import { memoizeFor } from '../memoize-for'
import type { Tokens } from '../replay/prompt-cache'
import type { Session } from '../replay/sessions'
import type { Steps } from '../steps'
import type { LosableUse } from '../uses/lost-uses'
import { UNCHANGED } from './as-it-ran'
import { measureInSteps, type PricedHistory, sumMeasures } from './best-settings'
import type { HistoryMessage, SessionHistory } from './history'
import { forgottenCalls, lostUsesOf, type ShownFigures } from './measure-mechanism'
import { type Mechanism, type MessageEdit, mainRow, type Settings } from './mechanism'
import { type MechanismStep, mechanismSteps } from './run-mechanism'

/** What a result is from a request on: its content, empty where the request does not have it; undefined if it is as it came. */
export interface ResultChange {
  readonly result: number
  readonly content: string | undefined
  /** Of the content, as we count it. */
  readonly tokens: Tokens
}

/** The figures under one mechanism, and those at its cheapest settings as `bestSettings` finds them. */
export interface MeasuredMechanism {
  readonly measure: ShownFigures
  /** Undefined if they were not searched for. */
  readonly best?: ShownFigures | undefined
  readonly keeping?: ShownFigures | undefined
  /** How it is shown, with given settings; and the session without changes. */
  readonly view?: MechanismView
  readonly unchanged?: ShownFigures | undefined
}

type Viewed = ReturnType<typeof viewedMechanism>

/** Lists are by request. */
export type MechanismView = Viewed extends Steps<{ readonly view: infer View }> ? View : never

/** A session with these settings. `countTokens` is our count, also where that of the history is calibrated to the provider's. */
export function* viewedMechanism(
  session: PricedHistory,
  mechanism: Mechanism,
  settings: Settings,
  countTokens: (text: string) => Tokens,
) {
  const { history, repeated = [] } = session
  const { run, replay, measure } = yield* measureInSteps(session, mechanism, settings)
  const unchanged = yield* measureInSteps(session, UNCHANGED, {})
  const { messages } = history
  const steps = [...mechanismSteps(withNextRequest(history), mechanism, settings)]
  const changes = steps.map(({ changed }) =>
    changed.flatMap(({ at, edit }): ResultChange[] => {
      const { result } = messages[at] as HistoryMessage
      if (result === undefined) return []
      const content = edit?.isRemoved === true ? '' : edit?.content
      return [{ result, content, tokens: content === undefined ? 0 : countTokens(content) }]
    }),
  )
  const isOther = (at: number, { isRemoved, calls }: MessageEdit) =>
    isRemoved === true || calls !== undefined || messages[at]?.result === undefined
  const last = [...(steps.at(-1) as MechanismStep).edits]
  const lost = new Set(lostUsesOf(history, run).map((use) => history.uses.indexOf(use)))
  const allTokens = history.prefixTokens.at(-1) as Tokens
  const view = {
    ...replay,
    /** Without changes, also where the client itself cleared results. */
    before: { ...unchanged.replay, nextTokens: allTokens },
    label: mechanism.label,
    mainSetting: mainRow(mechanism)?.key,
    /** With those of the next request. */
    changes,
    /** Of the next request. */
    nextTokens:
      allTokens -
      steps.flatMap(({ changed }) => changed).reduce((sum, { savedMore }) => sum + savedMore, 0),
    /** Its messages that are left out or have other calls or another text: all changes but those of a result's content. */
    otherChanges: last.filter(([at, edit]) => isOther(at, edit)).length,
    lost: history.uses.flatMap(({ result, request }, use): LosableUse[] =>
      lost.has(use) ? [{ use, result, request, lostAfter: [], backAfter: [] }] : [],
    ),
    /** Indices of the repeated calls whose earlier result was no longer as it came. */
    again: forgottenCalls(history, run, repeated),
  }
  const figuresOf = (one: typeof measure) => sumMeasures([one])
  return { measure: figuresOf(measure), view, unchanged: figuresOf(unchanged.measure) }
}

/** The session with one more request, which has all messages; the same if the last one has them. */
function withNextRequest(history: SessionHistory): SessionHistory {
  const { ends, messages } = history
  if (ends.at(-1) === messages.length) return history
  const withNext = (session: Session): Session => {
    const { messages: sent, turnCount } = session.conversation
    const next = { end: sent.length, turnCount, answer: undefined }
    return { ...session, requests: [...session.requests, next] }
  }
  return memoizeFor(history, withNextRequest, () => ({
    ...history,
    session: withNext(history.session),
    counted: withNext(history.counted),
    ends: [...ends, messages.length],
  }))
}
