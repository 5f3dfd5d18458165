/** Runs batches of calls through the real guards with simulated tools. No time passes: a delay is added to the clock. */
import { createStore } from 'zustand/vanilla'
import { DEFAULT_LIMITS, type LoopLimits } from '@/lib/core/loop/guards'
import type { BatchProgress, ExecuteCall, LoopClock } from '@/lib/core/loop/run-batch'
import { createCallCheck, isBatchDone, startBatch, stepBatch } from '@/lib/core/loop/run-batch'
import { createArgumentRepair, signature } from '@/lib/core/loop/signature'
import { EMPTY_LOOP, type PendingCall } from '@/lib/core/loop/tool-call-manager'
import { newKey } from '../drafts/restore-draft'

export type RunCall = Omit<PendingCall, 'signature'>

/** The behaviour of a simulated tool. */
export interface Stub {
  readonly kind: 'answer' | 'fail_once' | 'fail' | 'never'
  /** In milliseconds, for tools that answer or fail. */
  readonly delay: number
  /** Its answer or error message. */
  readonly text: string
}

export const DEFAULT_STUB: Stub = { kind: 'answer', delay: 0, text: '{"ok": true}' }

export interface SimulatorState {
  /** Number of the run; new with every reset. */
  readonly id: string
  /** The user's list; undefined for the calls of the last turn. */
  readonly calls: readonly RunCall[] | undefined
  /** By tool name; other tools use `DEFAULT_STUB`. */
  readonly stubs: ReadonlyMap<string, Stub>
  readonly limits: LoopLimits
  /** In milliseconds since the run began. */
  readonly now: number
  /** Started batches; the last may have calls left. */
  readonly batches: readonly BatchProgress[]
  /** Start of the run, in milliseconds since 1970. */
  readonly begunAt: number | undefined
}

/** Schemas of the transcript's tools, by name. */
export type ToolSchemas = ReadonlyMap<string, object>

export function createSimulator(realTime: () => number = () => Date.now()) {
  const newRun = () => ({ id: newKey(), now: 0, batches: [], begunAt: undefined })
  const store = createStore<SimulatorState>(() => ({
    ...newRun(),
    calls: undefined,
    stubs: new Map(),
    limits: DEFAULT_LIMITS,
  }))
  const { getState: get, setState: set } = store
  const repairOnce = createArgumentRepair()
  return {
    store,
    /** Undefined brings back the calls of the last turn. */
    setCalls: (calls: readonly RunCall[] | undefined) => set({ calls }),
    changeStub: (name: string, part: Partial<Stub>) =>
      set(({ stubs }) => {
        const stub = { ...(stubs.get(name) ?? DEFAULT_STUB), ...part }
        return { stubs: new Map(stubs).set(name, stub) }
      }),
    changeLimits: (part: Partial<LoopLimits>) =>
      set(({ limits }) => ({ limits: { ...limits, ...part } })),
    advance: (milliseconds: number) => set(({ now }) => ({ now: now + milliseconds })),
    reset: () => set(newRun()),
    /** Processes the next call, or all that are left, of the last batch; of a new one if that is done. */
    run: async (calls: readonly RunCall[], schemas: ToolSchemas, isWhole: boolean) => {
      const { id, batches, limits, stubs, begunAt = realTime() } = get()
      const last = batches.at(-1)
      const started = last === undefined || isBatchDone(last) ? batches : batches.slice(0, -1)
      const begin = () => {
        const pending = calls.map(({ id, name, arguments: text }): PendingCall => {
          const call = { id, name, arguments: text }
          return { ...call, signature: signature(call, repairOnce) }
        })
        const batch = { id: `batch-${id.slice(0, 8)}-${batches.length + 1}`, calls: pending }
        return startBatch(last?.state ?? EMPTY_LOOP, batch, limits)
      }
      let progress = last === undefined || started === batches ? begin() : last
      let { now } = get()
      let timeOut = { at: 0, end: () => {} }
      const clock: LoopClock = {
        now: () => now,
        after: (milliseconds, end) => {
          timeOut = { at: now + milliseconds, end }
          return () => {}
        },
      }
      const attempted = new Set<PendingCall>()
      const execute: ExecuteCall = async (call) => {
        const { kind, delay, text } = stubs.get(call.name) ?? DEFAULT_STUB
        const endsAt = kind === 'never' ? timeOut.at : now + delay
        now = Math.min(endsAt, timeOut.at)
        if (endsAt >= timeOut.at) return timeOut.end()
        const isFailing = kind === 'fail' || (kind === 'fail_once' && !attempted.has(call))
        attempted.add(call)
        if (isFailing) throw new Error(text)
        return text
      }
      const check = createCallCheck(schemas)
      do progress = await stepBatch(progress, execute, clock, undefined, check)
      while (isWhole && !isBatchDone(progress))
      set({ begunAt, now, batches: [...started, progress] })
    },
  }
}
