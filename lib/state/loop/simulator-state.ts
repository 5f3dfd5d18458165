/** What the simulator holds: the calls of the batch, the tools' behaviour, and the run. */
import type { StyleLanguage } from '@/lib/core/loop/loop-texts'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import type { BatchProgress, LoopEvent } from '@/lib/core/loop/run-batch'
import {
  DEFAULT_LIMITS,
  EMPTY_LOOP,
  type LoopLimits,
  type LoopState,
  type PendingCall,
} from '@/lib/core/loop/tool-call-manager'

/** The behaviour of a simulated tool. */
export interface Stub {
  readonly kind: 'answer' | 'fail_once' | 'fail' | 'never'
  /** In milliseconds, for tools that answer or fail. */
  readonly delay: number
  /** Its answer or error message. */
  readonly text: string
}

export interface SimulatorState {
  /** Number of the run; new with every reset. */
  readonly id: string
  readonly calls: readonly RunCall[]
  /** True if the user changed them; opening another conversation then leaves them. */
  readonly isOwn: boolean
  /** By tool name; other tools use `DEFAULT_STUB`. */
  readonly stubs: ReadonlyMap<string, Stub>
  readonly limits: LoopLimits
  /** Language of the sentences that stopped calls are answered with. */
  readonly language: StyleLanguage
  /** Schemas of the transcript's tools, by name. */
  readonly schemas: ReadonlyMap<string, object>
  readonly isClockReal: boolean
  /** In milliseconds since the run began. */
  readonly now: number
  /** Started batches; the last may be running. */
  readonly batches: readonly BatchProgress[]
  readonly history: LoopState
  readonly events: readonly LoopEvent[]
  /** The running call. */
  readonly running: { readonly call: PendingCall; readonly since: number } | undefined
  /** True if the whole batch is running, not one step. */
  readonly isRunningAll: boolean
  /** Start of the run, in milliseconds since 1970. */
  readonly begunAt: number | undefined
}

export const DEFAULT_STUB: Stub = { kind: 'answer', delay: 0, text: '{"ok": true}' }

export const INITIAL_SIMULATOR: Omit<SimulatorState, 'id'> = {
  calls: [],
  isOwn: false,
  stubs: new Map(),
  limits: DEFAULT_LIMITS,
  language: 'en',
  schemas: new Map(),
  isClockReal: true,
  now: 0,
  batches: [],
  history: EMPTY_LOOP,
  events: [],
  running: undefined,
  isRunningAll: false,
  begunAt: undefined,
}

export function stubOf({ stubs }: Pick<SimulatorState, 'stubs'>, name: string): Stub {
  return stubs.get(name) ?? DEFAULT_STUB
}

/** An editable call of the batch. */
export interface RunCall {
  /** Unique in the list. */
  readonly key: number
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** True if the list has exactly the calls of a turn. */
export function isSameBatch(calls: readonly RunCall[], turn: readonly UnansweredCall[]): boolean {
  const written = (all: readonly Omit<RunCall, 'key'>[]) =>
    JSON.stringify(all.map((call) => [call.id, call.name, call.arguments]))
  return written(calls) === written(turn)
}

/** An id that no call of the list has. */
export function freeId(calls: readonly RunCall[]): string {
  const ids = new Set(calls.map(({ id }) => id))
  let number = 1
  while (ids.has(`call_${number}`)) number++
  return `call_${number}`
}
