import type { ReadConversation } from '@/lib/core/conversation/conversation'
import { type MaskFacts, maskFacts } from '@/lib/core/replay/mask-facts'
import { type Session, sessionsOf } from '@/lib/core/replay/requests'
import { type Sweep, sweepFacts } from '@/lib/core/replay/sweep'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { Job, SessionJob, SessionlessFacts } from './protocol'

type SweepJob = Extract<Job, { kind: 'sweep' }>

/** What the worker does with the sessions of a counted document; the facts of the last policy are remembered. */
export function createSessionRunner(
  conversations: readonly ReadConversation[],
  counts: readonly ConversationCounts[],
  countTokens: (text: string) => number,
) {
  const sessions = sessionsOf(conversations, counts)
  let known: { readonly key: string; readonly facts: MaskFacts } | undefined

  const factsOf = ({ session: index, policy }: SessionJob): MaskFacts => {
    const key = JSON.stringify([index, policy])
    if (known?.key === key) return known.facts
    const session = sessions[index] as Session
    const { resultTexts } = conversations[
      session.conversations.at(-1) as number
    ] as ReadConversation
    const facts = maskFacts(session, policy, {
      textOf: (result) => resultTexts[result]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    })
    known = { key, facts }
    return facts
  }

  return {
    facts: (job: SessionJob): SessionlessFacts => {
      const { session: _, ...facts } = factsOf(job)
      return facts
    },
    /** Batch by batch, so that other jobs have their turn; undefined once `isStale` says so. */
    sweep: async (job: SweepJob, isStale: () => Promise<boolean>): Promise<Sweep | undefined> => {
      const facts = factsOf(job)
      let swept: Sweep | undefined
      for (const batch of [...new Set(job.batches)].sort((a, b) => a - b)) {
        if (swept !== undefined && (await isStale())) return undefined
        const row = sweepFacts(facts, job.terms, [batch])
        swept =
          swept === undefined
            ? row
            : {
                ...row,
                batches: [...swept.batches, ...row.batches],
                points: [...swept.points, ...row.points],
              }
      }
      return swept
    },
  }
}
