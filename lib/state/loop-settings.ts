/** The guards a transcript is inspected with and their limits: chosen on the page, kept in the browser. */
import { ALL_GUARDS, DEFAULT_LIMITS, GUARDS, type GuardSwitches } from '@/lib/core/loop/limits'
import type { InspectOptions } from '@/lib/core/loop/loop-report'
import { KEPT } from './kept-keys'
import type { KeepsTexts } from './own-terms'

export type LoopSettings = InspectOptions

export const DEFAULT_LOOP_SETTINGS: LoopSettings = {
  limits: DEFAULT_LIMITS,
  guards: ALL_GUARDS,
  signatureTurns: 3,
  fewestErrors: 3,
}

/** A number of the settings, as its field has it: times in seconds. */
export type LoopField =
  | 'callsPerBatch'
  | 'idWindow'
  | 'signatureWindow'
  | 'historyEntries'
  | 'signatureTurns'
  | 'fewestErrors'

interface LoopFieldBounds {
  readonly minimum: number
  readonly maximum: number
  /** How many of the setting's units are one of the field's. */
  readonly scale: number
}

const DAY_SECONDS = 86_400

export const LOOP_FIELDS: Readonly<Record<LoopField, LoopFieldBounds>> = {
  callsPerBatch: { minimum: 1, maximum: 1000, scale: 1 },
  idWindow: { minimum: 1, maximum: DAY_SECONDS, scale: 1000 },
  signatureWindow: { minimum: 1, maximum: DAY_SECONDS, scale: 1000 },
  historyEntries: { minimum: 1, maximum: 10_000, scale: 1 },
  signatureTurns: { minimum: 1, maximum: 1000, scale: 1 },
  fewestErrors: { minimum: 2, maximum: 1000, scale: 1 },
}

/** What a field shows. */
export function loopFieldOf(settings: LoopSettings, field: LoopField): number {
  const value =
    field === 'signatureTurns' || field === 'fewestErrors'
      ? settings[field]
      : settings.limits[field]
  return value / LOOP_FIELDS[field].scale
}

/** The settings with a field set to a value, which is rounded and held within the field's bounds. */
export function withLoopField(
  settings: LoopSettings,
  field: LoopField,
  value: number,
): LoopSettings {
  const { minimum, maximum, scale } = LOOP_FIELDS[field]
  const held = Math.min(maximum, Math.max(minimum, Math.round(value))) * scale
  return field === 'signatureTurns' || field === 'fewestErrors'
    ? { ...settings, [field]: held }
    : { ...settings, limits: { ...settings.limits, [field]: held } }
}

/** How long a turn stands for where the transcript has no times, in milliseconds. */
export function turnTimeOf({ limits, signatureTurns }: LoopSettings): number {
  return limits.signatureWindow / Math.max(1, signatureTurns)
}

export function isDefaultLoopSettings(settings: LoopSettings): boolean {
  return keptLoopSettings(settings) === keptLoopSettings(DEFAULT_LOOP_SETTINGS)
}

/** Reads settings that were kept; what is damaged or missing is as by default. */
export function readLoopSettings(text: string | null): LoopSettings {
  const kept = recordOf(parsed(text))
  const guards = recordOf(kept.guards)
  const fields = recordOf(kept.fields)
  const numbers = (Object.keys(LOOP_FIELDS) as LoopField[]).reduce((settings, field) => {
    const value = fields[field]
    const isNumber = typeof value === 'number' && Number.isFinite(value)
    return isNumber ? withLoopField(settings, field, value) : settings
  }, DEFAULT_LOOP_SETTINGS)
  return {
    ...numbers,
    guards: Object.fromEntries(
      GUARDS.map((guard) => [guard, guards[guard] !== false]),
    ) as GuardSwitches,
  }
}

/** The text by which settings are kept. */
export function keptLoopSettings(settings: LoopSettings): string {
  const fields = (Object.keys(LOOP_FIELDS) as LoopField[]).map((field) => [
    field,
    loopFieldOf(settings, field),
  ])
  const guards = GUARDS.map((guard) => [guard, settings.guards[guard]])
  return JSON.stringify({ guards: Object.fromEntries(guards), fields: Object.fromEntries(fields) })
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

interface HasLoop {
  readonly settings: LoopSettings
}

interface LoopStore<Loop extends HasLoop> {
  readonly getState: () => { readonly loop: Loop }
  readonly setState: (part: { readonly loop: Loop }) => void
  readonly subscribe: (changed: () => void) => () => void
}

/** Takes kept settings into a store and keeps those it has from then on; returns the way to stop. */
export function followLoopSettings<Loop extends HasLoop>(
  store: LoopStore<Loop>,
  storage: () => KeepsTexts,
): () => void {
  try {
    const settings = readLoopSettings(storage().getItem(KEPT.loop))
    store.setState({ loop: { ...store.getState().loop, settings } })
  } catch {
    // Storage is refused: the settings last as long as the page.
  }
  let kept = store.getState().loop.settings
  return store.subscribe(() => {
    const { settings } = store.getState().loop
    if (settings === kept) return
    kept = settings
    try {
      storage().setItem(KEPT.loop, keptLoopSettings(settings))
    } catch {
      // As above.
    }
  })
}
