import {
  type Alternative,
  type AlternativeSettings,
  DEFAULT_ALTERNATIVES,
  maskUnderWindow,
  sendAsCleared,
  sendEverything,
  summariseTurns,
  truncateResults,
} from '../alternatives/alternatives'
import type { MaskWindow, PreparedReplay } from '../prepare-replay'
import type { CostTerms } from '../request-terms'

/** Replays all alternatives; without a recommended window, `recommended` is left out. */
export function replayAlternatives(
  prepared: PreparedReplay,
  terms: CostTerms,
  windows: { readonly asSet: MaskWindow; readonly recommended: MaskWindow | undefined },
  settings: AlternativeSettings = DEFAULT_ALTERNATIVES,
): Alternative[] {
  const { session } = prepared
  return [
    sendEverything(prepared, terms),
    ...sendAsCleared(prepared, terms),
    maskUnderWindow('as_set', prepared, terms, windows.asSet),
    ...(windows.recommended
      ? [maskUnderWindow('recommended', prepared, terms, windows.recommended)]
      : []),
    truncateResults(session, terms, settings.truncation),
    summariseTurns(session, terms, settings.summaries),
  ]
}
