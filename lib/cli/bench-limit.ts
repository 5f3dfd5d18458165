/** How low sessions could have gone with a window (`docs/costs.md`), as `bench` prints it. */
import type { SessionLimit, SessionLimits } from '../core/replay/limit/session-limit'
import { ENGLISH_FORMAT } from '../core/report/figure-format'

export function limitSums({ any, withoutLosses }: SessionLimits) {
  const sums = (limit: SessionLimit | undefined) =>
    limit && { cost: limit.cost, moves: limit.moves.length }
  return { any: sums(any), withoutLosses: sums(withoutLosses) }
}

export function limitMeasure({ any, withoutLosses }: Readonly<ReturnType<typeof limitSums>>) {
  return {
    limit_cost: any?.cost ?? null,
    limit_moves: any?.moves ?? null,
    limit_cost_without_losses: withoutLosses?.cost ?? null,
    limit_moves_without_losses: withoutLosses?.moves ?? null,
  }
}

type LimitedCosts = Readonly<
  Record<'session_cost_cached_before' | 'session_cost_cached_after', number | null>
> &
  ReturnType<typeof limitMeasure>

/** What a policy saves of what was possible, in a line; none if that is unknown. */
export function limitLines(costs: LimitedCosts): string[] {
  const { session_cost_cached_before: before, session_cost_cached_after: after } = costs
  const { limit_cost: limit, limit_cost_without_losses: withoutLosses } = costs
  if (before === null || after === null || limit === null || before === 0) return []
  const share = (cost: number) => ENGLISH_FORMAT.share(1 - cost / before)
  const own =
    after < before
      ? `Saves ${share(after)} of the ${share(limit)} that were possible`
      : `Costs ${share(2 * before - after)} more where saving ${share(limit)} was possible`
  const kept = withoutLosses === null ? '' : `; ${share(withoutLosses)} without losing a later use`
  return [`${own} with moves of this window known in hindsight${kept}.`, '']
}
