/**
 * The session replayed: what its requests cost before and after masking, over every window and batch.
 * What a policy does to each result comes from the worker, window and batch apart (`facts`); the replay of the window
 * set is then worked out here, so that it follows a drag, and the grid of all windows (`sweep`) does not depend on it.
 */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import type { MaskFacts } from '@/lib/core/replay/mask-facts'
import {
  type BreakEven,
  breakEven,
  type Recommendation,
  recommend,
} from '@/lib/core/replay/recommend'
import {
  type CostTerms,
  type PlayedBefore,
  playBefore,
  type Replay,
  replayFacts,
} from '@/lib/core/replay/replay'
import { type Session, sessionsOf } from '@/lib/core/replay/requests'
import { SWEEP_BATCHES, type Sweep } from '@/lib/core/replay/sweep'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { Job, SessionlessFacts } from '@/lib/worker/protocol'
import { remembered } from './remembered'
import { termsOf } from './savings-terms'
import { countsOf } from './selectors'
import type { PlaygroundState, ReadSource } from './store'

const sessionsOfDocument = remembered(
  (read: ReadSource, counts: readonly ConversationCounts[]): readonly Session[] =>
    sessionsOf(read.model.conversations as readonly Conversation[], counts),
)

function sessionIndexOf(state: PlaygroundState): number | undefined {
  const counts = countsOf(state)
  if (state.read === undefined || counts === undefined) return undefined
  const index = sessionsOfDocument(state.read, counts).findIndex(({ conversations }) =>
    conversations.includes(state.conversation),
  )
  return index === -1 ? undefined : index
}

/** The session of the conversation shown, its requests; undefined until it is counted. */
export function sessionOf(state: PlaygroundState): Session | undefined {
  const index = sessionIndexOf(state)
  const counts = countsOf(state)
  if (state.read === undefined || counts === undefined || index === undefined) return undefined
  return sessionsOfDocument(state.read, counts)[index]
}

/** A job and the key by which its answer is known. */
export interface Question<Asked extends Job> {
  readonly key: string
  readonly job: Asked
}

/** The policy without what no facts depend on, so that a drag asks nothing. */
const policyWithoutWindow = (policy: MaskPolicy): MaskPolicy => ({
  ...policy,
  enabled: true,
  windowTurns: DEFAULT_POLICY.windowTurns,
  batchTurns: DEFAULT_POLICY.batchTurns,
})

const factsQuestion = remembered(
  (document: number, session: number, policy: MaskPolicy) =>
    ({
      key: JSON.stringify([document, session, policyWithoutWindow(policy)]),
      job: { kind: 'mask_facts', document, session, policy: policyWithoutWindow(policy) },
    }) as const satisfies Question<Job>,
)

/** What the worker is to be asked for the facts; undefined until the document is counted. */
export function factsQuestionOf(state: PlaygroundState) {
  const session = sessionIndexOf(state)
  if (state.read === undefined || session === undefined) return undefined
  return factsQuestion(state.read.source.id, session, state.policy)
}

function sweepQuestion(
  facts: NonNullable<ReturnType<typeof factsQuestionOf>>,
  terms: CostTerms,
  batches: readonly number[],
) {
  return {
    key: `${facts.key} ${JSON.stringify([terms, batches])}`,
    job: { ...facts.job, kind: 'sweep', terms, batches },
  } as const satisfies Question<Job>
}

const gridQuestion = remembered(sweepQuestion)
const ownRowQuestion = remembered(sweepQuestion)
const ownRow = remembered((batch: number): readonly number[] => [batch])

/** What the worker is to be asked for the grid, and for the row of a batch that is not in it. */
export function sweepQuestionsOf(state: PlaygroundState) {
  const facts = factsQuestionOf(state)
  const terms = termsOf(state)?.terms
  if (facts === undefined || terms === undefined) return undefined
  const { batchTurns } = state.policy
  const isInGrid = SWEEP_BATCHES.includes(batchTurns)
  return {
    grid: gridQuestion(facts, terms, SWEEP_BATCHES),
    own: isInGrid ? undefined : ownRowQuestion(facts, terms, ownRow(batchTurns)),
  }
}

const wholeFacts = remembered(
  (session: Session, facts: SessionlessFacts): MaskFacts => ({ session, ...facts }),
)

/** What the policy does to each result whatever the window; undefined while the worker has it. */
export function factsOf(state: PlaygroundState): MaskFacts | undefined {
  const session = sessionOf(state)
  const { facts } = state
  if (session === undefined || facts === undefined) return undefined
  if (facts.key !== factsQuestionOf(state)?.key) return undefined
  return wholeFacts(session, facts.answer)
}

const before = remembered((facts: MaskFacts, terms: CostTerms) => playBefore(facts, terms))

const replayed = remembered(
  (
    facts: MaskFacts,
    terms: CostTerms,
    played: PlayedBefore,
    windowTurns: number,
    batchTurns: number,
  ): Replay => replayFacts(facts, { windowTurns, batchTurns }, terms, played),
)

/** The session under the policy as set: request by request and in total. Undefined until facts and prices are there. */
export function replayOf(state: PlaygroundState): Replay | undefined {
  const facts = factsOf(state)
  const terms = termsOf(state)?.terms
  if (facts === undefined || terms === undefined) return undefined
  const { enabled, windowTurns, batchTurns } = state.policy
  return replayed(facts, terms, before(facts, terms), enabled ? windowTurns : 0, batchTurns)
}

const merged = remembered((grid: Sweep, own: Sweep | undefined): Sweep => {
  if (own === undefined) return grid
  const at = grid.batches.filter((batch) => batch < (own.batches[0] as number)).length
  const start = at * grid.largestWindow
  return {
    ...grid,
    batches: [...grid.batches.slice(0, at), ...own.batches, ...grid.batches.slice(at)],
    points: [...grid.points.slice(0, start), ...own.points, ...grid.points.slice(start)],
  }
})

/** Every window and batch, the batch set among them; undefined while the worker has it. */
export function sweepOf(state: PlaygroundState): Sweep | undefined {
  const questions = sweepQuestionsOf(state)
  const { grid, own } = state.sweeps
  if (questions === undefined || grid?.key !== questions.grid.key) return undefined
  const hasOwn = questions.own !== undefined && own?.key === questions.own.key
  return merged(grid.answer, hasOwn ? own.answer : undefined)
}

const recommended = remembered(recommend)

/** The cheapest window and batch for the model, or that sending everything is; undefined while it is worked out. */
export function recommendationOf(state: PlaygroundState): Recommendation | undefined {
  const swept = sweepOf(state)
  return swept && recommended(swept, state.smallestWindow)
}

const rememberedBreakEven = remembered(breakEven)

/** The first request from which on masking as set has paid with this model's caching. */
export function breakEvenOf(state: PlaygroundState): BreakEven | undefined {
  const replay = replayOf(state)
  return replay && rememberedBreakEven(replay, 'cached')
}

const countBreaks = remembered(
  ({ requests }: Replay): number =>
    requests.filter(
      ({ firstChanged }, at) =>
        firstChanged !== undefined && firstChanged < (requests[at - 1]?.request.end ?? 0),
    ).length,
)

/** Requests in which masking changes what the request before them had sent. */
export function prefixBreaksOf(state: PlaygroundState): number | undefined {
  const replay = replayOf(state)
  return replay && countBreaks(replay)
}
