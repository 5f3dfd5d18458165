/**
 * Runs batches of calls through the real guards with simulated tools. Nothing is stored. A reset starts a new run and
 * ignores answers of the old one.
 */
import { createStore } from 'zustand/vanilla'
import { LOOP_TEXTS, type StyleLanguage } from '@/lib/core/loop/loop-texts'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import {
  type BatchProgress,
  createCallCheck,
  type ExecuteCall,
  isBatchDone,
  isFinalEvent,
  type LoopEvent,
  startBatch,
  stepBatch,
} from '@/lib/core/loop/run-batch'
import { createArgumentRepair, signature } from '@/lib/core/loop/signature'
import {
  DEFAULT_LIMITS,
  EMPTY_LOOP,
  type LoopLimits,
  type LoopState,
  type PendingCall,
} from '@/lib/core/loop/tool-call-manager'
import { newKey } from '../drafts/new-key'
import { freeId, type RunCall } from './simulator-calls'
import { createSimulatorClock } from './simulator-clock'

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

const TICK_MILLISECONDS = 100

const INITIAL: Omit<SimulatorState, 'id'> = {
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

export type Simulator = ReturnType<typeof createSimulator>

export function createSimulator(realTime: () => number = () => Date.now()) {
  const store = createStore<SimulatorState>(() => ({ ...INITIAL, id: newKey() }))
  const { getState: get, setState: set } = store
  const repairOnce = createArgumentRepair()
  let nextKey = 1
  let run = 0
  let watching = 0
  let isBusy = false
  let time = createSimulatorClock(realTime)
  let ticking: ReturnType<typeof setInterval> | undefined

  const showTime = () => {
    const now = time.clock.now()
    if (now !== get().now) set({ now })
  }
  const sync = async () => {
    await time.sync()
    showTime()
  }
  /** Time passes while the simulator is in view or a call waits. */
  const tick = () => {
    const { isClockReal, running, batches } = get()
    const isDue = isClockReal && (running !== undefined || (watching > 0 && batches.length > 0))
    if (isDue) ticking ??= setInterval(() => void sync(), TICK_MILLISECONDS)
    else {
      clearInterval(ticking)
      ticking = undefined
    }
  }

  const attempted = new WeakSet<PendingCall>()
  const execute: ExecuteCall = (call) => {
    const { kind, delay, text } = stubOf(get(), call.name)
    const isFailing = kind === 'fail' || (kind === 'fail_once' && !attempted.has(call))
    attempted.add(call)
    return new Promise((resolve, reject) => {
      if (kind === 'never') return
      const end = () => (isFailing ? reject(new Error(text)) : resolve(text))
      if (delay === 0) end()
      else time.clock.after(delay, end)
    })
  }

  const pendingOf = ({ id, name, arguments: written }: RunCall): PendingCall => {
    const call = { id, name, arguments: written }
    return { ...call, signature: signature(call, repairOnce) }
  }

  /** Processes the next call, in the next batch if this one is done; false if the simulator was reset meanwhile. */
  const step = async (): Promise<boolean> => {
    const startedRun = run
    const { id, batches, calls, history, limits, language, schemas } = get()
    const last = batches.at(-1)
    const isNew = last === undefined || isBatchDone(last)
    const begin = () => {
      const batch = {
        id: `batch-${id.slice(0, 8)}-${batches.length + 1}`,
        calls: calls.map(pendingOf),
      }
      return startBatch(history, batch, limits, LOOP_TEXTS[language])
    }
    const before = isNew ? begin() : last
    const done = isNew ? batches : batches.slice(0, -1)
    set({ batches: [...done, before], begunAt: get().begunAt ?? realTime() })
    const show = (event: LoopEvent, state: LoopState) => {
      if (startedRun !== run) return
      const call = before.batch.calls[before.results.length]
      const isRunning = !isFinalEvent(event) && call !== undefined
      set(({ events, running }) => ({
        events: [...events, event],
        history: state,
        running: isRunning ? { call, since: running?.since ?? event.at } : undefined,
      }))
      tick()
    }
    const check = createCallCheck(schemas)
    const after = await stepBatch(before, execute, time.clock, show, check)
    if (startedRun !== run) return false
    set({ batches: [...done, after], history: after.state, running: undefined })
    showTime()
    tick()
    return true
  }

  /** Ignores requests while it is busy. */
  const alone = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy || get().calls.length === 0) return
    const startedRun = run
    isBusy = true
    // A run begins with its first call, not when it comes into view.
    if (get().begunAt === undefined) startClock()
    // Only here: before every step, it would cut off time the next call should wait for.
    await sync()
    if (startedRun === run) await work()
    if (startedRun !== run) return
    isBusy = false
    set({ isRunningAll: false })
  }

  const changeCalls = (edit: (calls: readonly RunCall[]) => readonly RunCall[]) =>
    set(({ calls }) => ({ calls: edit(calls), isOwn: true }))

  const takeCalls = (calls: readonly UnansweredCall[]) =>
    set({
      calls: calls.map(({ id, name, arguments: written }) => {
        return { key: nextKey++, id, name, arguments: written }
      }),
      isOwn: false,
    })

  const startClock = () => {
    time = createSimulatorClock(realTime)
    time.setReal(get().isClockReal)
  }

  const reset = () => {
    run++
    isBusy = false
    startClock()
    const { calls, isOwn, stubs, limits, language, schemas, isClockReal } = get()
    set({ ...INITIAL, id: newKey(), calls, isOwn, stubs, limits, language, schemas, isClockReal })
    tick()
  }

  return {
    store,
    /** Lets time pass until the returned function is called. */
    watch: (): (() => void) => {
      watching++
      if (get().begunAt !== undefined) void sync()
      tick()
      return () => {
        watching--
        tick()
      }
    },
    /** Loads the calls of a conversation as the batch. */
    takeCalls,
    /** The same, unless the user changed the list or ran it. */
    offerCalls: (calls: readonly UnansweredCall[]) => {
      if (!get().isOwn && get().batches.length === 0) takeCalls(calls)
    },
    addCall: () =>
      changeCalls((calls) => [
        ...calls,
        { key: nextKey++, id: freeId(calls), name: calls.at(-1)?.name ?? 'tool', arguments: '{}' },
      ]),
    /** Adds a copy of a call with a new id. */
    duplicateCall: (key: number) =>
      changeCalls((calls) =>
        calls.flatMap((call) =>
          call.key === key ? [call, { ...call, key: nextKey++, id: freeId(calls) }] : [call],
        ),
      ),
    removeCall: (key: number) => changeCalls((calls) => calls.filter((call) => call.key !== key)),
    changeCall: (key: number, part: Partial<Omit<RunCall, 'key'>>) =>
      changeCalls((calls) => calls.map((call) => (call.key === key ? { ...call, ...part } : call))),
    changeStub: (name: string, part: Partial<Stub>) =>
      set((state) => ({
        stubs: new Map(state.stubs).set(name, { ...stubOf(state, name), ...part }),
      })),
    changeLimits: (part: Partial<LoopLimits>) =>
      set(({ limits }) => ({ limits: { ...limits, ...part } })),
    setLanguage: (language: StyleLanguage) => set({ language }),
    setSchemas: (schemas: SimulatorState['schemas']) => set({ schemas }),
    setClockReal: (isClockReal: boolean) => {
      time.setReal(isClockReal)
      set({ isClockReal })
      tick()
    },
    advance: async (milliseconds: number): Promise<void> => {
      await time.advance(milliseconds)
      showTime()
    },
    step: () =>
      alone(async () => {
        await step()
      }),
    /** Runs the rest of the batch, or the next one. */
    runBatch: () =>
      alone(async () => {
        set({ isRunningAll: true })
        let isOn = await step()
        while (isOn && !isBatchDone(get().batches.at(-1) as BatchProgress)) isOn = await step()
      }),
    reset,
  }
}

export function stubOf({ stubs }: Pick<SimulatorState, 'stubs'>, name: string): Stub {
  return stubs.get(name) ?? DEFAULT_STUB
}
