/** Facts about the shown conversation beside the fields of the policy form: counts, placeholder costs and a preview. */
import { countBy, groupBy } from '@/lib/core/conversation/add-to-group'
import type { WindowStep } from '@/lib/core/policy/break-even'
import { renderPlaceholder } from '@/lib/core/policy/placeholder'
import { isSameSetting, type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { firstKeptTurn } from '@/lib/core/policy/window-steps'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { requestTokens } from '@/lib/core/tokens/count-conversation'
import { conversationOf, countsOf } from '../document/selectors'
import { ofShown, optional, type PlaygroundState, select } from '../store'
import { decisionsOf, placeholderTokensOf, preparedReplayOf } from './policy-view'

/** Number of results that match each error rule, whether the rule is on or off. */
export const errorRuleCountsOf = select([conversationOf], ({ results }) =>
  countBy(
    results.flatMap(({ errorRules }) => errorRules),
    (rule) => rule,
  ),
)

/** Tools of all conversations of the document; those with the most tokens first. */
export const toolSharesOf = select(
  [({ read }) => read, optional(countsOf)],
  (read, counts) => {
    const all = read.model.conversations.flatMap(({ results }, at) =>
      results.flatMap(({ toolName: name }, index) =>
        name === undefined ? [] : [{ name, tokens: counts?.[at]?.results[index] ?? 0 }],
      ),
    )
    return [...groupBy(all, ({ name }) => name)]
      .map(([name, own]) => ({
        name,
        results: own.length,
        /** Of all its results; undefined until counted. */
        tokens: counts && own.reduce((sum, { tokens }) => sum + tokens, 0),
      }))
      .sort((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0) || b.results - a.results)
  },
  [],
)

/** Tokens of the placeholders in the shown conversation; undefined until counted, and if nothing is masked. */
export const placeholderPriceOf = select(
  [ofShown(decisionsOf), ofShown(placeholderTokensOf)],
  (decisions, placeholders) => {
    const sums = { least: Number.POSITIVE_INFINITY, most: 0, all: 0, masked: 0 }
    for (const [index, { action }] of decisions.entries()) {
      if (action === 'keep') continue
      const cost = placeholders[index] as number
      sums.least = Math.min(sums.least, cost)
      sums.most = Math.max(sums.most, cost)
      sums.all += cost
      sums.masked++
    }
    return sums.masked === 0 ? undefined : sums
  },
)

/** The results that the current policy masks once they are old enough. */
export const maskableOf = select(
  [preparedReplayOf],
  ({ maskableResults }): ReadonlySet<number> => new Set(maskableResults),
)

/** The results that are shorter than their placeholders, and what masking all of them loses. */
export const grownOf = select(
  [maskableOf, ofShown(countsOf), ofShown(placeholderTokensOf)],
  (maskable, counts, placeholders) => {
    const losses = placeholders.flatMap((cost, result) => {
      const lost = cost - (counts.results[result] as number)
      return lost > 0 && maskable.has(result) ? [lost] : []
    })
    return { results: losses.length, lost: losses.reduce((sum, lost) => sum + lost, 0) }
  },
)

/** Index of the selected result, else the first masked one, else the first. */
function previewedOf(state: PlaygroundState): number {
  const decisions = decisionsOf(state)?.[state.conversation]
  const firstMasked = decisions?.findIndex(({ action }) => action === 'mask') ?? -1
  return state.selection?.result ?? Math.max(firstMasked, 0)
}

/** Preview for the selected result, else the first masked one, else the first; undefined if there are no results. */
export const placeholderPreviewOf = select(
  [
    (state) => conversationOf(state)?.results[previewedOf(state)],
    ({ policy }) => policy.placeholderTemplate,
    optional((state) => countsOf(state)?.[state.conversation]?.results[previewedOf(state)]),
    optional((state) => placeholderTokensOf(state)?.[state.conversation]?.[previewedOf(state)]),
  ],
  (result, template, tokensBefore, tokensAfter) => ({
    result,
    text: renderPlaceholder(template, result, tokensBefore),
    tokensBefore,
    tokensAfter,
  }),
)

/** Tokens of the next request, before masking; undefined until counted. */
export function requestTokensOf(state: PlaygroundState): number | undefined {
  const counts = countsOf(state)?.[state.conversation]
  return counts && requestTokens(counts)
}

/** The first turn that a window keeps now; for one that moves at break-even, as its last step has it. */
export function keptTurnNow(
  turns: number,
  { windowTurns, batchTurns }: Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>,
  steps: readonly WindowStep[] | undefined,
): number {
  if (batchTurns === 'auto') return steps?.at(-1)?.firstKept ?? 0
  return firstKeptTurn(turns, { windowTurns, batchTurns })
}

/** The turns a window covers, counted from 1. `steps` are needed for one that moves at break-even. */
export function windowReach(
  turns: number,
  policy: Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>,
  steps?: readonly WindowStep[],
) {
  if (policy.windowTurns <= 0) return { state: 'off' as const }
  if (policy.windowTurns > turns) return { state: 'longer' as const, turns }
  if (policy.windowTurns === turns) return { state: 'all' as const, turns }
  const first = keptTurnNow(turns, policy, steps)
  // The window moves in batches, and the conversation is too short for the first.
  if (first === 0) return { state: 'before_first_step' as const, turns }
  return { state: 'keeps' as const, first: first + 1, turns, kept: turns - first }
}

/** True if a setting differs from the page's default. */
export function isChanged(policy: MaskPolicy, key: keyof MaskPolicy): boolean {
  return !isSameSetting(policy[key], LINK_DEFAULTS[key])
}

/** True if masking is on with this window and batch. */
export function isWindowSet(policy: MaskPolicy, window: MaskWindow | undefined): boolean {
  const { enabled, windowTurns, batchTurns } = policy
  return enabled && windowTurns === window?.windowTurns && batchTurns === window.batchTurns
}

/** Settings in use that Schema 1 does not have. */
export function extensionsInUse(policy: MaskPolicy): readonly (keyof MaskPolicy)[] {
  return POLICY_FIELDS.filter(({ key, isExtension }) => isExtension && isChanged(policy, key)).map(
    ({ key }) => key,
  )
}
