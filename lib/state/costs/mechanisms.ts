/** What mechanisms do to the shown session, by the worker; the page itself replays Schema 1 with the policy in use. */
import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import type { Settings } from '@/lib/core/mechanisms/mechanism'
import type { MeasuredMechanism } from '@/lib/core/mechanisms/mechanism-view'
import { settingsOfPolicy } from '@/lib/core/policy/policy'
import { advisedMechanisms, shownSettings } from '@/lib/core/report/mechanism-advice'
import type { ReportedMechanism } from '@/lib/core/report/report-facts'
import { limitsOf, lostUsesOf, replayOf } from '../policy/policy-view'
import { optional, select } from '../store'
import { forgottenOf, laterUsesOf } from '../uses/later-uses'
import { bandOf } from './cost-band'
import { hasClearings, sessionOf } from './shown-session'
import { inputOf, ofPolicy, schema1ByWorker, sharedInputOf } from './tried-mechanism'

/** The shown session under the policy, as the worker measures other mechanisms, but with what the client itself cleared, which these do not have. */
const schema1Of = select(
  [replayOf, lostUsesOf, forgottenOf, optional(bandOf), ({ policy }) => policy],
  ({ requests, after }, lost, forgotten, band, policy): ShownFigures => {
    let [rewrites, rewrittenTokens] = [0, 0]
    for (const [at, { before, after: sent, firstChanged }] of requests.entries()) {
      const earlier = requests[at - 1]
      if (firstChanged === undefined || firstChanged >= (earlier?.request.end ?? 0)) continue
      const added = before.tokens - (earlier?.before.tokens ?? 0)
      rewrites++
      rewrittenTokens += Math.max(0, sent.tokens - added - sent.split.read)
    }
    return {
      settings: settingsOfPolicy(policy),
      tokens: after.tokens,
      cost: after.costs.cached,
      lostUses: lost.length,
      forgotten: forgotten.length,
      ...{ rewrites, rewrittenTokens },
      peakTokens: Math.max(0, ...requests.map((one) => one.after.tokens)),
      extraRequests: 0,
      band: band?.after,
    }
  },
)

export const spent = ({ cost, tokens }: Pick<ShownFigures, 'cost' | 'tokens'>) => cost ?? tokens
export const leastOf = ({ measure, best = measure }: MeasuredMechanism) => spent(best)

/** What is known so far; undefined until the session is replayed. */
export const comparisonOf = ofPolicy(
  select(
    [
      replayOf,
      laterUsesOf,
      optional(limitsOf),
      optional((state) =>
        hasClearings(state) ? schema1ByWorker(state)?.measure : schema1Of(state),
      ),
      sharedInputOf,
      sessionOf,
      ({ compared }) => compared,
      ({ answers }) => answers,
      hasClearings,
    ],
    (
      { before, requests },
      uses,
      limits,
      schema1,
      shared,
      session,
      compared,
      answers,
      isCleared,
    ) => {
      const rows = compared.flatMap((id) => {
        const input = inputOf(shared, { id })
        const answer = answers.find((known) => known.input === input)
        const own = id === 'schema1' ? schema1 && { measure: schema1 } : {}
        return answer && own ? { id, ...(answer.output as MeasuredMechanism), ...own } : []
      })
      const areAllKnown = compared.length > 0 && rows.length === compared.length
      return {
        unchanged: rows[0]?.unchanged ?? {
          tokens: before.tokens,
          cost: before.costs.cached,
          peakTokens: Math.max(0, ...requests.map((one) => one.before.tokens)),
        },
        /** The cheapest first, once all are known. */
        rows: areAllKnown ? rows.sort((a, b) => leastOf(a) - leastOf(b)) : rows,
        areAllKnown,
        asked: compared.length,
        laterUses: uses.length,
        requests: requests.length,
        hasResults: session.conversation.results.length > 0,
        /** The least that Schema 1 can cost. It is known with the client's own clearings only, which the others are without. */
        limit: isCleared ? undefined : limits?.any?.cost,
      }
    },
  ),
)

export type Comparison = NonNullable<ReturnType<typeof comparisonOf>>

/** What a table of mechanisms shows, of one session or of many. */
export interface ComparedMechanisms
  extends Pick<Comparison, 'areAllKnown' | 'asked' | 'laterUses' | 'limit'> {
  readonly unchanged: Pick<ShownFigures, 'tokens' | 'cost' | 'peakTokens'>
  readonly rows: readonly ({ readonly id: string } & MeasuredMechanism)[]
}

/** Without names that can be from a transcript. */
export const unnamedSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value !== 'object'))

/** For a report: what is advised, and what saves and no other beats in both cost and what is forgotten, the cheapest first; undefined until all are known. */
export const mechanismFactsOf = select(
  [comparisonOf, ({ advice }) => advice.keptShare, ({ read }) => read],
  (comparison, keptShare, { model: { format } }) => {
    const { unchanged, areAllKnown } = comparison
    const { all, found, own } = advisedMechanisms({ ...comparison, keptShare, format })
    const before = { tokens: unchanged.tokens, cost: unchanged.cost }
    const reported = all.map((one): ReportedMechanism => {
      const { id, tokens, cost, forgotten } = one
      const settings = shownSettings(id, unnamedSettings(one.settings))
      const ofOwn = one === own ? 'own' : undefined
      const advised = one !== found ? ofOwn : ofOwn ? 'both' : 'best'
      return { id, tokens, cost, forgotten, settings, before, advised }
    })
    const isBeaten = (one: ReportedMechanism, at: number) =>
      spent(one) >= spent(unchanged) ||
      reported.some((other, place) => {
        const [less, fewer] = [spent(one) - spent(other), one.forgotten - other.forgotten]
        return less >= 0 && fewer >= 0 && (less > 0 || fewer > 0 || place < at)
      })
    const listed = reported.filter((one, at) => one.advised || !isBeaten(one, at))
    return areAllKnown ? listed.sort((a, b) => spent(a) - spent(b)) : undefined
  },
)
