import { maskEdits } from '@/lib/core/mask/mask-document'
import { measureRequest } from '@/lib/core/mask/measure-request'
import type { PolicyOfModel, WindowStep } from '@/lib/core/policy/break-even'
import { type Decision, savedCharsOf } from '@/lib/core/policy/decide'
import { type MaskPolicy, needsCounts } from '@/lib/core/policy/policy'
import { windowSteps } from '@/lib/core/policy/window-steps'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { replayPrepared } from '@/lib/core/replay/replay'
import { replayFigures } from '@/lib/core/replay/replay-figures'
import { applyEdits } from '@/lib/core/text/span'
import { countsUntil } from '@/lib/core/tokens/count-conversation'
import { lostUsesAt, refetchCosts } from '@/lib/core/uses/lost-uses'
import { familyOf } from '../costs/chosen-model'
import { modelCacheOf, termsOf } from '../costs/cost-terms'
import {
  calibratedSessionOf,
  calibrationOf,
  sessionIndexOf,
  sessionOf,
} from '../costs/shown-session'
import {
  isTrying,
  triedDecisionsOf,
  triedReplay,
  triedRequestTokens,
  triedTogetherOf,
  triedTokensOf,
  triedViewOf,
} from '../costs/tried-mechanism'
import { conversationOf, countsOf, slicesOf } from '../document/selectors'
import { answerTo, ofShown, optional, type PlaygroundState, type Selector, select } from '../store'
import { decideWith, sharedOf, sourcesOf } from './shared-inputs'

export type DocumentDecisions = readonly (readonly Decision[])[]

const readOf = ({ read }: PlaygroundState) => read
const encodingOf = (state: PlaygroundState) => familyOf(state).encoding

/** Nobody knows what a mechanism does with a result that is fetched again. */
const NOT_PRICED = { tokens: 0, plain: undefined, cached: undefined }

/** A longer session takes more than two or three milliseconds, so the worker replays it. */
const MOST_REQUESTS_ON_PAGE = 300

/**
 * The selectors of a policy, or of the mechanism that is tried in its place. Everything is undefined until the text is read,
 * counted and, for costs, priced.
 */
function createPolicyView(settingsOf: Selector<MaskPolicy | undefined>, canBeTried = false) {
  const either =
    <Value>(own: Selector<Value>, tried: Selector<Value>): Selector<Value> =>
    (state) =>
      canBeTried && isTrying(state) ? tried(state) : own(state)

  const policyOf = select(
    [settingsOf, optional(modelCacheOf)],
    (policy, cache): PolicyOfModel => (cache === undefined ? policy : { ...policy, cache }),
  )
  const placeholdersInputOf = select(
    [sharedOf, readOf, policyOf, encodingOf],
    (shared, { source }, { placeholderTemplate }, encoding) =>
      shared.placeholdersInput(source.id, placeholderTemplate, encoding),
  )
  /** Tokens of the placeholders, by conversation and result. */
  const ownTokensOf = answerTo<'countPlaceholders'>(placeholdersInputOf)
  const placeholderTokensOf = either(ownTokensOf, triedTokensOf)

  // Only what the policy needs, so that other counts do not cause new decisions.
  const neededCountsOf = (state: PlaygroundState) => {
    const policy = policyOf(state)
    return policy && needsCounts(policy) ? countsOf(state) : undefined
  }
  const neededPlaceholdersOf = (state: PlaygroundState) =>
    policyOf(state)?.neverGrow === true ? ownTokensOf(state) : undefined

  /** Decisions for every conversation. */
  const ownDecisionsOf = select(
    [readOf, policyOf, optional(neededCountsOf), optional(neededPlaceholdersOf)],
    (read, policy, counts, tokens): DocumentDecisions | undefined => {
      const decided = read.model.conversations.map((conversation, at) =>
        decideWith(read, conversation, policy, counts?.[at], tokens?.[at]),
      )
      return decided.every((decisions) => decisions !== undefined) ? decided : undefined
    },
  )
  const decisionsOf = either(ownDecisionsOf, triedDecisionsOf)
  /** How the window came to where it stands; undefined unless it moves at break-even. */
  const ownStepsOf = select(
    [
      readOf,
      conversationOf,
      policyOf,
      optional(ofShown(neededCountsOf)),
      optional(ofShown(neededPlaceholdersOf)),
    ],
    (read, conversation, policy, counts, tokens): readonly WindowStep[] | undefined => {
      if (policy.batchTurns !== 'auto') return undefined
      const sources = sourcesOf(read, conversation, policy, counts, tokens)
      return sources && windowSteps(conversation, policy, savedCharsOf(policy, sources))
    },
  )
  const windowStepsOf = either(ownStepsOf, () => undefined)
  /** The masked text of the shown document, which can be older than the text that the header names. */
  const outputTextOf = select([readOf, decisionsOf], ({ source, model }, decisions) =>
    applyEdits(slicesOf(source), maskEdits(model.conversations, decisions)),
  )

  const measuredTokensOf = select(
    [placeholderTokensOf, ({ conversation }) => conversation, optional(calibrationOf)],
    (tokens, at, calibration) =>
      calibration === undefined
        ? tokens[at]
        : tokens[at]?.map((count) => Math.round(calibration.slope * count)),
  )
  const measuredCountsOf = (state: PlaygroundState) => {
    const counts = countsOf(state)?.[state.conversation]
    return (calibrationOf(state) && counts && calibratedSessionOf(state)?.counts) ?? counts
  }
  /** Selects the measure of a request of the shown conversation, in the tokens that the replay uses. */
  const measureOfRequest = (
    decided: Selector<DocumentDecisions | undefined>,
    endOf: Selector<number | undefined>,
  ) =>
    select(
      [
        conversationOf,
        measuredCountsOf,
        ofShown(decided),
        measuredTokensOf,
        endOf,
        optional(either(() => undefined, triedViewOf)),
        sessionOf,
      ],
      (conversation, counts, decisions, tokens, end, tried, { requests }) => {
        const sent = countsUntil(counts, end, decisions.length)
        const messages = conversation.messages.slice(0, end)
        const results = conversation.results.slice(0, decisions.length)
        const request = { ...conversation, messages, results }
        const measure = measureRequest(request, sent, decisions, tokens)
        if (tried === undefined) return measure
        const tokensOf = (of: typeof tried.before) => triedRequestTokens(of, requests, end)
        return { ...measure, tokens: { before: tokensOf(tried.before), after: tokensOf(tried) } }
      },
    )
  /** The measure of the next request. */
  const measureOf = measureOfRequest(decisionsOf, (state) => conversationOf(state)?.messages.length)

  /** The input of the jobs that prepare the replay and find the uses some window loses. */
  const sessionInputOf = select(
    [sharedOf, readOf, sessionIndexOf, policyOf, optional(calibrationOf), encodingOf],
    ({ sessionInput, withoutWindow }, { source }, session, policy, calibration, encoding) =>
      sessionInput(source.id, session, withoutWindow(policy), calibration, encoding),
  )
  const losableInputOf = select([sessionInputOf], (input) => ({ ...input }))
  /** The uses that some window loses under the rest of the policy. */
  const losableUsesOf = answerTo<'losableUses'>(losableInputOf)
  const windowTurnsOf = (state: PlaygroundState) => policyOf(state)?.windowTurns
  /** The window in use; 0 turns if masking is off. */
  const windowOf = select(
    [(state) => policyOf(state)?.enabled, windowTurnsOf, (state) => policyOf(state)?.batchTurns],
    (isOn, turns, batchTurns): MaskWindow => ({ windowTurns: isOn ? turns : 0, batchTurns }),
  )

  const sweepInputOf = select([sessionInputOf, termsOf], (input, terms) => ({ ...input, terms }))
  /** The sweep over every window and batch. */
  const sweepOf = answerTo<'sweep'>(sweepInputOf)
  const limitInputOf = select(
    [sweepInputOf, windowTurnsOf, (state) => policyOf(state)?.batchTurns === 'auto'],
    (input, windowTurns, hasMoves) => ({ ...input, windowTurns, hasMoves }),
  )
  /** The least that the session can cost with the window, and what its moves at break-even cost. */
  const limitsOf = answerTo<'limit'>(limitInputOf)

  const preparedReplayOf = select(
    [sharedOf, calibratedSessionOf, answerTo<'prepareReplay'>(sessionInputOf)],
    ({ withSession }, session, prepared) => withSession(session, prepared),
  )
  /** The uses that the policy loses. */
  const lostUsesOf = either(
    select([losableUsesOf, windowOf, preparedReplayOf], lostUsesAt),
    (state) => triedViewOf(state)?.lost,
  )
  const unmaskedReplayOf = select(
    [sharedOf, preparedReplayOf, termsOf],
    ({ unmasked }, prepared, terms) => unmasked(prepared, terms),
  )
  /** The session, request by request. It blocks the page for long sessions, so what is always in view uses `figuresOf`. */
  const ownReplayOf = select(
    [preparedReplayOf, termsOf, unmaskedReplayOf, windowOf],
    (prepared, terms, before, window) => replayPrepared(prepared, window, terms, before),
  )

  const replayOf = either(ownReplayOf, select([calibratedSessionOf, triedViewOf], triedReplay))

  /** The input of the job that replays a long session; undefined for one that the page replays. */
  const replayInputOf = (hasLosses: boolean) =>
    select(
      [
        (state) => (isLong(state) ? sweepInputOf(state) : undefined),
        windowOf,
        optional(({ request }) => request),
      ],
      (input, window, request) => ({ ...input, window, request, hasLosses }),
    )
  const [plainInputOf, lossesInputOf] = [replayInputOf(false), replayInputOf(true)]
  const plainReplayOf = answerTo<'replay'>(plainInputOf)
  const lossesReplayOf = answerTo<'replay'>(lossesInputOf)
  const isLong = (state: PlaygroundState) =>
    (sessionOf(state)?.requests.length ?? 0) > MOST_REQUESTS_ON_PAGE
  const isReplayedByWorker = (state: PlaygroundState) => plainInputOf(state) !== undefined

  const figuresOnPageOf = select(
    [replayOf, optional(({ request }) => request)],
    (replay, request) => replayFigures(replay, request),
  )
  /** The figures of the session, replayed by the page or the worker. */
  const figuresOf = either(
    (state) =>
      isReplayedByWorker(state)
        ? (lossesReplayOf(state) ?? plainReplayOf(state))?.figures
        : figuresOnPageOf(state),
    figuresOnPageOf,
  )

  const refetchCostsOf = select([preparedReplayOf, losableUsesOf, termsOf], refetchCosts)
  const refetchedOnPageOf = select([refetchCostsOf, windowOf], (costsAt, window) => costsAt(window))
  /** What it costs to fetch again what the policy loses. */
  const refetchedOf = either(
    (state) =>
      isReplayedByWorker(state) ? lossesReplayOf(state)?.refetched : refetchedOnPageOf(state),
    select([triedViewOf], ({ lost }) => ({
      ...NOT_PRICED,
      uses: lost.length,
      results: new Set(lost.map(({ result }) => result)).size,
    })),
  )

  return {
    ...{ policyOf, placeholdersInputOf, placeholderTokensOf },
    ...{ decisionsOf, windowStepsOf, outputTextOf },
    ...{ measureOf, measureOfRequest, windowOf, sessionInputOf, losableInputOf, losableUsesOf },
    ...{ lostUsesOf, sweepInputOf, sweepOf, limitInputOf, limitsOf },
    ...{ preparedReplayOf, unmaskedReplayOf, replayOf },
    ...{ plainInputOf, lossesInputOf, figuresOf, refetchedOf },
  }
}

export type PolicyView = ReturnType<typeof createPolicyView>

export const current = createPolicyView(({ policy }) => policy, true)
/** The policy that the current one is compared with. */
export const pinned = createPolicyView((state) => state.pinned)
export const MOST_OFFERED = 10
/** The policies that a view compares, each a replay of the session. */
export const offered = Array.from({ length: MOST_OFFERED }, (_, at) =>
  createPolicyView((state) => state.offered?.[at]),
)

/** The decisions once those of every session are known, and not before. */
export const allDecisionsOf: typeof current.decisionsOf = (state) =>
  isTrying(state) && triedTogetherOf(state) === undefined ? undefined : current.decisionsOf(state)

export const {
  policyOf,
  placeholderTokensOf,
  decisionsOf,
  windowStepsOf,
  outputTextOf,
  measureOf,
  windowOf,
  losableUsesOf,
  lostUsesOf,
  sweepInputOf,
  sweepOf,
  limitsOf,
  preparedReplayOf,
  unmaskedReplayOf,
  replayOf,
  figuresOf,
  refetchedOf,
} = current
