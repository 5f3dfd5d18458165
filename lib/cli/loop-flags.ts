import type { RepeatedCallsOptions } from '../core/loop/repeated-calls-report'
import {
  ALL_GUARDS,
  DEFAULT_LIMITS,
  type Guard,
  type LoopLimits,
} from '../core/loop/tool-call-manager'
import { type Flag, type ParsedFlags, UsageError } from './parse-flags'

/** The flag of each guard; `--no-` before the name turns the guard off. */
const GUARD_OF_FLAG = {
  'batch-limit': 'batch_limit',
  duplicate: 'duplicate',
  'same-id': 'ANTI_LOOP_ID',
  'same-call': 'ANTI_LOOP_SIGNATURE',
} as const satisfies Record<string, Guard>

const GUARD_HELP: Readonly<Record<keyof typeof GUARD_OF_FLAG, string>> = {
  'batch-limit': 'drop calls beyond --calls-per-batch (on; --no-batch-limit turns it off)',
  duplicate: 'skip a call that repeats one of its batch (on)',
  'same-id': 'refuse an id again within --id-window (on)',
  'same-call': 'refuse the same call again within --signature-window, or --signature-turns (on)',
}

const SECOND = 1000
const DEFAULT_SIGNATURE_TURNS = 3
const DEFAULT_FEWEST_ERRORS = 3

/** By flag: the limit that it sets, and how many units of the limit are one unit of the flag. */
const LIMIT_OF_FLAG = {
  'calls-per-batch': ['callsPerBatch', 1, 'calls of a batch that are run'],
  'id-window': ['idWindow', SECOND, 'seconds before an id may be run again'],
  'signature-window': ['signatureWindow', SECOND, 'seconds before the same call may be run again'],
  history: ['historyEntries', 1, 'calls remembered'],
} as const satisfies Record<string, readonly [keyof LoopLimits, number, string]>

const limitFlags = Object.entries(LIMIT_OF_FLAG).map(([name, [limit, scale, help]]): Flag => {
  return { name, kind: 'value', shown: 'N', help: `${help} (${DEFAULT_LIMITS[limit] / scale})` }
})

const guardFlags = Object.entries(GUARD_HELP).map(([name, help]): Flag => {
  return { name, kind: 'switch', help }
})

export const LOOP_FLAGS: readonly Flag[] = [
  ...guardFlags,
  ...limitFlags,
  {
    name: 'signature-turns',
    kind: 'value',
    shown: 'N',
    help: `without times, turns before the same call may be run again (${DEFAULT_SIGNATURE_TURNS})`,
  },
  {
    name: 'fewest-errors',
    kind: 'value',
    shown: 'N',
    help: `how often the same error must occur to be listed (${DEFAULT_FEWEST_ERRORS})`,
  },
]

/** Reads guards and limits from flags. Throws a `UsageError` for a limit that is not a whole number from 1. */
export function loopOptionsFrom({ values }: ParsedFlags): RepeatedCallsOptions {
  const numberOf = (name: string, otherwise: number): number => {
    const given = values.get(name)
    if (given === undefined) return otherwise
    if (!/^[1-9]\d{0,8}$/.test(String(given)))
      throw new UsageError(`--${name} is "${given}"; expected a whole number from 1.`)
    return Number(given)
  }
  const limits: Record<keyof LoopLimits, number> = { ...DEFAULT_LIMITS }
  for (const [name, [limit, scale]] of Object.entries(LIMIT_OF_FLAG))
    limits[limit] = numberOf(name, DEFAULT_LIMITS[limit] / scale) * scale
  const guards: Record<Guard, boolean> = { ...ALL_GUARDS }
  for (const [name, guard] of Object.entries(GUARD_OF_FLAG))
    guards[guard] = values.get(name) !== false
  return {
    limits,
    guards,
    signatureTurns: numberOf('signature-turns', DEFAULT_SIGNATURE_TURNS),
    fewestErrors: numberOf('fewest-errors', DEFAULT_FEWEST_ERRORS),
  }
}
