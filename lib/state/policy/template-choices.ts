/** The placeholder templates side by side: the policy's own and those on offer. */

import {
  TEMPLATE_KINDS,
  TEMPLATE_LANGUAGES,
  TEMPLATES,
  type TemplateKind,
  type TemplateLanguage,
} from '@/lib/core/policy/placeholder'
import {
  type TemplateCheck,
  type TemplateTotals,
  templateTotals,
} from '@/lib/core/results/check-template'
import type { RunJob } from '@/lib/worker/jobs'
import { countsOf } from '../document/selectors'
import { memoize, select } from '../select'
import type { PlaygroundState } from '../store'
import { decisionsOf } from './policy-view'

/** A template on offer, or the user's own. */
export interface TemplateChoice {
  readonly language: TemplateLanguage | undefined
  readonly kind: TemplateKind | undefined
  readonly template: string
}

const ON_OFFER: readonly TemplateChoice[] = TEMPLATE_LANGUAGES.flatMap((language) =>
  TEMPLATE_KINDS.map((kind) => ({ language, kind, template: TEMPLATES[language][kind] })),
)

/** The templates on offer; first the policy's own, if it is another one. */
export const templateChoices = memoize((template: string): readonly TemplateChoice[] =>
  ON_OFFER.some((choice) => choice.template === template)
    ? ON_OFFER
    : [{ language: undefined, kind: undefined, template }, ...ON_OFFER],
)

/** Checks of all choices on the shown conversation, in their order; undefined if another job replaced this one. */
export async function checkChoices(
  { read, conversation }: Pick<PlaygroundState, 'read' | 'conversation'>,
  choices: readonly TemplateChoice[],
  run: RunJob,
): Promise<readonly TemplateCheck[] | undefined> {
  if (read === undefined) return undefined
  const templates = choices.map(({ template }) => template)
  const outcome = await run('checkTemplates', {
    document: read.source.id,
    conversation,
    templates,
  })
  return outcome.state === 'done' ? outcome.output : undefined
}

const maskedOrAllOf = select(
  [(state) => decisionsOf(state)?.[state.conversation]],
  (decisions): readonly number[] => {
    const masked = decisions.flatMap(({ action }, index) => (action === 'mask' ? [index] : []))
    return masked.length > 0 ? masked : [...decisions.keys()]
  },
)

const NO_RESULTS: readonly number[] = []

/** The masked results of the shown conversation; all of them while none is masked. */
export function maskedResultsOf(state: PlaygroundState): readonly number[] {
  return maskedOrAllOf(state) ?? NO_RESULTS
}

/** Totals of a template over the masked results; undefined until they are counted. */
export function choiceTotals(
  state: PlaygroundState,
  check: TemplateCheck,
): TemplateTotals | undefined {
  const counts = countsOf(state)?.[state.conversation]
  if (counts === undefined) return undefined
  const masked = new Set(maskedResultsOf(state))
  return templateTotals(check, counts.results, (result) => masked.has(result))
}
