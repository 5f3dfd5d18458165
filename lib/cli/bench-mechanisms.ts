/** `bench --mechanisms` and `--mechanism`: what other ways to shorten requests do to the same sessions. */

import { addUp } from '../core/conversation/add-up'
import type { ReadConversation } from '../core/conversation/conversation'
import { lastConversationOf, type PreparedSession } from '../core/fleet/measure-sessions'
import { asItRan, hasClearings } from '../core/mechanisms/as-it-ran'
import { type PricedHistory, searchedMechanism } from '../core/mechanisms/best-settings'
import { readHistory } from '../core/mechanisms/history'
import type { ShownFigures } from '../core/mechanisms/measure-mechanism'
import type { Mechanism, Settings } from '../core/mechanisms/mechanism'
import {
  changedSettings,
  defaultSettings,
  readSetting,
  shownSetting,
} from '../core/mechanisms/mechanism'
import { MECHANISMS } from '../core/mechanisms/mechanisms'
import { type MaskPolicy, settingsOfPolicy } from '../core/policy/policy'
import { DEFAULT_ADVICE } from '../core/replay/recommend'
import { ENGLISH_FORMAT } from '../core/report/figure-format'
import { mechanismAdvice } from '../core/report/mechanism-advice'
import { resultOf } from '../core/steps'
import type { Encoding } from '../core/tokens/encoding'
import { sessionLimits } from '../core/uses/lost-uses'
import { inEnglish } from '../core/words/english'
import { alignedTable } from './bench-tables'
import { type ParsedFlags, UsageError } from './flags'
import type { MeasuredSessions } from './measure-document'
import { withSetting } from './policy-flags'

export const MECHANISM_IDS = MECHANISMS.map(({ id }) => id).join(', ')

/** A mechanism with settings that the command line asks for. */
export interface ChosenMechanism {
  readonly mechanism: Mechanism
  readonly settings: Settings
}

/** Reads `--mechanism` and `--set`; undefined without. Throws a `UsageError` that names what is wrong. */
export function chosenMechanism(
  flags: ParsedFlags,
  policy: MaskPolicy,
): ChosenMechanism | undefined {
  const id = flags.text('mechanism')
  const written = flags.texts('set')
  if (id === undefined) {
    if (written.length > 0) throw new UsageError('--set needs --mechanism.')
    return undefined
  }
  const mechanism = MECHANISMS.find((one) => one.id === id)
  if (mechanism === undefined)
    throw new UsageError(`There is no mechanism "${id}"; expected ${MECHANISM_IDS}.`)
  let [own, settings] = [policy, defaultSettings(mechanism)]
  for (const one of written) {
    const [key = '', ...rest] = one.split('=')
    const text = rest.join('=')
    if (id === 'schema1') own = withSetting(own, key, text)
    else settings = { ...settings, [key]: settingOf(mechanism, key, text, one) }
  }
  return { mechanism, settings: id === 'schema1' ? settingsOfPolicy(own) : settings }
}

function settingOf({ id, rows }: Mechanism, key: string, text: string, written: string) {
  const row = rows.find((known) => known.key === key)
  if (row === undefined || !written.includes('=')) {
    const known = rows.map((one) => `${one.key}=${shownSetting(one.value)}`).join(', ')
    throw new UsageError(`--set "${written}" is no setting of ${id}; expected ${known}.`)
  }
  const read = readSetting(row, text)
  if ('expected' in read)
    throw new UsageError(`--set ${key} is "${text}"; expected ${inEnglish(read.expected)}.`)
  return read.value
}

/** The sessions of a document as mechanisms see them. */
export function pricedHistories(
  conversations: readonly ReadConversation[],
  { sessions, terms }: Pick<MeasuredSessions, 'sessions' | 'terms'>,
  { countTokens }: Encoding,
): (PricedHistory & { readonly measured: PreparedSession })[] {
  return sessions.map((measured) => {
    const { session: counted, prepared, slope, uses } = measured
    const conversation = conversations[lastConversationOf(counted)] as ReadConversation
    const both = { session: prepared.session, counted }
    return { history: readHistory(both, conversation, countTokens, uses, slope), terms, measured }
  })
}

export type ComparedMechanism = ReturnType<typeof measureMechanisms>['compared'][number]

/** Measures the mechanisms, or the one that is chosen, on all sessions together. */
export function measureMechanisms(
  sessions: ReturnType<typeof pricedHistories>,
  policy: MaskPolicy,
  chosen: ChosenMechanism | undefined,
) {
  const isCleared = sessions.some(({ history }) => hasClearings(history))
  const all = chosen ? [chosen.mechanism] : [...(isCleared ? [asItRan] : []), ...MECHANISMS]
  const compared = (sessions.length === 0 ? [] : all).map((mechanism) => {
    const own = mechanism.id === 'schema1' ? settingsOfPolicy(policy) : undefined
    const settings = chosen?.settings ?? own
    const found = searchedMechanism(sessions, mechanism, DEFAULT_ADVICE.keptShare, settings)
    return { id: mechanism.id, mechanism, ...resultOf(found) }
  })
  // A longer window cannot cost less.
  const limits = sessions.map(
    ({ measured, terms }) => sessionLimits(measured.prepared, measured.losable, 1, terms).any?.cost,
  )
  return {
    unchanged: compared[0]?.unchanged,
    compared,
    laterUses: sessions.reduce((sum, { history }) => sum + history.uses.length, 0),
    limit: addUp([0, ...limits]),
  }
}

type MeasuredMechanisms = ReturnType<typeof measureMechanisms>

/** The figures as printed JSON: costs are dollars of input with caching, and of what a model writes for the mechanism. */
export function mechanismsMeasure({ unchanged, compared, laterUses, limit }: MeasuredMechanisms) {
  return {
    session_tokens_before: unchanged?.tokens ?? 0,
    session_cost_cached_before: unchanged?.cost ?? null,
    session_peak_tokens_before: unchanged?.peakTokens ?? 0,
    later_uses: laterUses,
    limit_cost: limit ?? null,
    mechanisms: compared.map(({ mechanism, measure, best, keeping }) => {
      const { id, label, needs, source = null, read = null } = mechanism
      return {
        ...{ id, label, needs, source, read },
        settings: measure.settings,
        best_settings: best.settings,
        ...figuresOf(measure),
        best: figuresOf(best),
        keeping_settings: keeping?.settings ?? null,
        keeping: keeping ? figuresOf(keeping) : null,
      }
    }),
  }
}

function figuresOf(measure: ShownFigures) {
  return {
    session_tokens: measure.tokens,
    session_cost_cached: measure.cost ?? null,
    session_cost_cached_band: measure.band ?? null,
    lost_uses: measure.lostUses,
    rewrites: measure.rewrites,
    rewritten_tokens: measure.rewrittenTokens,
    peak_tokens: measure.peakTokens,
    extra_requests: measure.extraRequests,
  }
}

const { number, money, change } = ENGLISH_FORMAT

const HEADINGS = ['tokens', 'cost', 'change', 'lost', 'rewrites', 'written again', 'longest']

function cellsOf(measure: ShownFigures, before: ShownFigures): readonly string[] {
  const { tokens, cost, lostUses, rewrites, rewrittenTokens, peakTokens } = measure
  const counts = [lostUses, rewrites, rewrittenTokens, peakTokens].map(number)
  return [number(tokens), money(cost, before.cost), change(before.cost, cost), ...counts]
}

/** What to do, and a table: each mechanism by default, at its cheapest, and at the cheapest that keeps enough. `format` is that of all sessions. */
export function mechanismsTable(measured: MeasuredMechanisms, format: string | undefined): string {
  const { unchanged, compared, laterUses, limit } = measured
  if (unchanged === undefined) return 'There is no session with requests.\n'
  const rows = compared.flatMap(({ mechanism, measure, best, keeping }) => {
    const nameOf = ({ settings }: ShownFigures) => changedSettings(settings, measure.settings)
    const found = new Map([best, keeping ?? []].flat().map((one) => [nameOf(one), one]))
    found.delete('')
    const others = [...found].map(([set, one]) => [`  ${set}`, ...cellsOf(one, unchanged)])
    return [[mechanism.label, ...cellsOf(measure, unchanged)], ...others]
  })
  const nothing = ['Nothing changed', ...cellsOf(unchanged, unchanged)]
  const least =
    limit === undefined
      ? []
      : [
          `The least that Schema 1 masking can cost here, with its placeholder and moves known in hindsight: ${change(unchanged.cost, limit)}.`,
        ]
  const given = { unchanged, laterUses, format, keptShare: DEFAULT_ADVICE.keptShare }
  const advice = mechanismAdvice({ ...given, rows: compared }, ENGLISH_FORMAT)
  const sentences = advice.map((words) => words.map(inEnglish).join(' '))
  return `${[...sentences, '', alignedTable([['', ...HEADINGS], nothing, ...rows]), ...least].join('\n')}\n`
}
