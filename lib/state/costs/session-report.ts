/** The facts of the cost report. */

import { shownSetting } from '@/lib/core/mechanisms/mechanism'
import { breakEven } from '@/lib/core/replay/recommend'
import { type ReportFacts, toolCounts, writtenPolicy } from '@/lib/core/report/report-facts'
import { conversationOf, countsOf } from '../document/selectors'
import type { FindingGroup } from '../integrity/history-findings'
import { historyFindingsOf, maskingFindingsOf } from '../integrity/history-findings'
import {
  decisionsOf,
  figuresOf,
  limitsOf,
  measureOf,
  replayOf,
  unmaskedReplayOf,
} from '../policy/policy-view'
import { type PlaygroundState, select } from '../store'
import { lossFactsOf } from '../uses/later-uses'
import { chargedFactsOf } from './charged-session'
import { bookOf } from './chosen-model'
import { bandOf } from './cost-band'
import { costTermsOf, modelFactsOf } from './cost-terms'
import { mechanismFactsOf, unnamedSettings } from './mechanisms'
import { nonTextPartsOf } from './request-view'
import { recommendationOf } from './session-advice'
import { calibrationFactsOf, sessionOf } from './shown-session'
import { triedViewOf, withoutMechanism } from './tried-mechanism'

export const limitCostsOf = select([limitsOf], ({ any, withoutLosses }) => {
  return { any: any?.cost, withoutLosses: withoutLosses?.cost }
})

/** Selectors of what takes long in a report, each of which remembers it. */
export const REPORT_STEPS: readonly ((state: PlaygroundState) => unknown)[] = [
  unmaskedReplayOf,
  replayOf,
  recommendationOf,
  chargedFactsOf,
  calibrationFactsOf,
  lossFactsOf,
  historyFindingsOf,
  maskingFindingsOf,
]

function placesIn(groups: readonly FindingGroup[]): number {
  return groups.reduce((total, { places }) => total + places.length, 0)
}

/** The mechanism that is tried, without names that can be from a transcript. */
export function unnamedMechanism({ mechanism }: PlaygroundState): PlaygroundState['mechanism'] {
  return mechanism && { ...mechanism, settings: unnamedSettings(mechanism.settings) }
}

const settingsToWrite = (mechanism: PlaygroundState['mechanism']) =>
  Object.entries(mechanism?.settings ?? {}).map(([key, value]): [string, string] => [
    key,
    shownSetting(value) || '–',
  ])

/** The facts of a report on the shown session; undefined until all of them are computed. */
export function reportFactsOf(
  state: PlaygroundState,
  { day, hasNames }: { readonly day: string; readonly hasNames: boolean },
): ReportFacts | undefined {
  const ofPolicy = withoutMechanism(state)
  const view = triedViewOf(state)
  const { read, policy, mechanism } = state
  const priceBook = bookOf(state)
  const conversation = conversationOf(state)
  const session = sessionOf(state)
  const terms = costTermsOf(state)
  const replayed = replayOf(state)
  const recommendation = recommendationOf(ofPolicy)
  const measure = measureOf(state)
  const breaks = figuresOf(state)?.prefixBreaks
  const band = bandOf(state)
  const counts = countsOf(state)?.[state.conversation]
  const decisions = decisionsOf(state)?.[state.conversation]
  if (!read || !conversation || !session || !terms || !replayed) return undefined
  if (!recommendation || !measure || !counts || !decisions || breaks === undefined) return undefined
  return {
    day,
    measured: {
      format: read.model.formatLabel,
      messages: conversation.messages.length,
      turns: conversation.turnCount,
      results: conversation.results.length,
      origin: session.origin,
      nonTextParts: nonTextPartsOf(state),
    },
    names: hasNames
      ? { file: read.source.name, tools: toolCounts(conversation, counts, decisions) }
      : undefined,
    ...writtenPolicy(policy, hasNames),
    ...modelFactsOf(terms, priceBook),
    hasExpiry:
      terms.terms.rule.kind !== 'none' &&
      terms.terms.rule.lifetimeSeconds !== undefined &&
      session.requests.some(({ sentAt }) => sentAt !== undefined),
    charged: chargedFactsOf(state),
    calibration: calibrationFactsOf(state),
    nextRequest: measure.tokens,
    replayed,
    prefixBreaks: breaks,
    mechanisms: mechanismFactsOf(ofPolicy),
    tried: view && {
      label: view.label,
      settings: settingsToWrite(hasNames ? mechanism : unnamedMechanism(state)),
    },
    recommendation,
    advice: state.advice,
    breakEven: { plain: breakEven(replayed, 'plain'), cached: breakEven(replayed, 'cached') },
    losses: lossFactsOf(state),
    band,
    limits: mechanism ? undefined : limitCostsOf(state),
    history: {
      found: placesIn(historyFindingsOf(state)),
      added: placesIn(maskingFindingsOf(state)),
    },
  }
}
