/** Guards and limits that transcripts are inspected with; saved in local storage. */
import type { RepeatedCallsOptions } from '@/lib/core/loop/find-repeated-calls'
import { GUARDS, type GuardSwitches } from '@/lib/core/loop/guards'
import type { StyleLanguage } from '@/lib/core/loop/loop-texts'
import { DEFAULT_REPEATED } from '@/lib/core/loop/repeats'

export type LoopSettings = RepeatedCallsOptions

export const DEFAULT_LOOP_SETTINGS: LoopSettings = DEFAULT_REPEATED

const DAY_SECONDS = 86_400

const WINDOW = { minimum: 1, maximum: DAY_SECONDS, scale: 1000, unit: 'seconds' } as const

const GUARD_FIELDS = {
  callsPerBatch: { minimum: 1, maximum: 1000, scale: 1, unit: 'calls' },
  idWindow: WINDOW,
  signatureWindow: WINDOW,
  historyEntries: { minimum: 1, maximum: 10_000, scale: 1, unit: 'calls' },
} as const

/** The numeric settings as form fields show them, with times in seconds. `scale`: setting units per field unit. */
export const LOOP_FIELDS = {
  ...GUARD_FIELDS,
  signatureTurns: { minimum: 1, maximum: 1000, scale: 1, unit: 'turns' },
  fewestErrors: { minimum: 2, maximum: 1000, scale: 1, unit: 'times' },
} as const

/** The same of the limits of a run. */
export const LIMIT_FIELDS = {
  ...GUARD_FIELDS,
  timeout: { minimum: 1, maximum: 3600, scale: 1000 },
  retries: { minimum: 0, maximum: 10, scale: 1 },
  callsPerSession: { minimum: 1, maximum: 100_000, scale: 1 },
}

export type LoopField = keyof typeof LOOP_FIELDS

const LOOP_FIELD_NAMES = Object.keys(LOOP_FIELDS) as LoopField[]

/** The value a field shows. */
export function loopFieldOf(settings: LoopSettings, field: LoopField): number {
  return { ...settings, ...settings.limits }[field] / LOOP_FIELDS[field].scale
}

/** The settings with one field changed; the value is rounded and limited to the field's bounds. */
export function withLoopField(
  settings: LoopSettings,
  field: LoopField,
  value: number,
): LoopSettings {
  const { minimum, maximum, scale } = LOOP_FIELDS[field]
  const bounded = Math.min(maximum, Math.max(minimum, Math.round(value))) * scale
  return field === 'signatureTurns' || field === 'fewestErrors'
    ? { ...settings, [field]: bounded }
    : { ...settings, limits: { ...settings.limits, [field]: bounded } }
}

/** Assumed milliseconds per turn if the transcript has no times. */
export function turnTimeOf({ limits, signatureTurns }: LoopSettings): number {
  return limits.signatureWindow / Math.max(1, signatureTurns)
}

export function isDefaultLoopSettings(settings: LoopSettings): boolean {
  return storedLoopSettings(settings) === storedLoopSettings(DEFAULT_LOOP_SETTINGS)
}

/** Reads stored settings; damaged or missing ones get their defaults. */
export function readLoopSettings(stored: StoredRecord): LoopSettings {
  const { guards = {}, fields = {} } = stored as Readonly<Record<string, StoredRecord | undefined>>
  const numbers = LOOP_FIELD_NAMES.reduce((settings, field) => {
    const value = fields?.[field]
    const isNumber = typeof value === 'number' && Number.isFinite(value)
    return isNumber ? withLoopField(settings, field, value) : settings
  }, DEFAULT_LOOP_SETTINGS)
  return {
    ...numbers,
    guards: Object.fromEntries(
      GUARDS.map((guard) => [guard, guards?.[guard] !== false]),
    ) as GuardSwitches,
  }
}

type StoredRecord = Readonly<Record<string, unknown>>

export function storedLoopSettings(settings: LoopSettings): string {
  const fields = LOOP_FIELD_NAMES.map((field) => [field, loopFieldOf(settings, field)])
  const guards = GUARDS.map((guard) => [guard, settings.guards[guard]])
  return JSON.stringify({ guards: Object.fromEntries(guards), fields: Object.fromEntries(fields) })
}

export interface LoopSlice {
  readonly loop: {
    readonly settings: LoopSettings
    /** That of the style message, while a view shows the next request. */
    readonly requestLanguage?: StyleLanguage | undefined
  }
}

export const INITIAL_LOOP: LoopSlice = { loop: { settings: DEFAULT_LOOP_SETTINGS } }
