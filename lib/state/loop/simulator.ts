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
  createVirtualClock,
  type ExecuteCall,
  isBatchDone,
  isFinalEvent,
  type LoopEvent,
  startBatch,
  stepBatch,
} from '@/lib/core/loop/run-batch'
import { createArgumentRepair, signature } from '@/lib/core/loop/signature'
import type { LoopLimits, LoopState, PendingCall } from '@/lib/core/loop/tool-call-manager'
import { nextTask } from '@/lib/worker/run-in-steps'
import { newKey } from '../drafts/draft-records'
import {
  freeId,
  INITIAL_SIMULATOR,
  type RunCall,
  type SimulatorState,
  type Stub,
  stubOf,
} from './simulator-state'

const TICK_MILLISECONDS = 100

export type Simulator = ReturnType<typeof createSimulator>

export function createSimulator(realTime: () => number = () => Date.now()) {
  const store = createStore<SimulatorState>(() => ({ ...INITIAL_SIMULATOR, id: newKey() }))
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
    const { now, batches, history, events, running, isRunningAll, begunAt } = INITIAL_SIMULATOR
    set({ id: newKey(), now, batches, history, events, running, isRunningAll, begunAt })
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

/**
 * The simulator's clock. It starts at zero and is advanced by real time, by hand, or both. A large step fires due
 * timers in order, each at its time.
 */
export function createSimulatorClock(realTime: () => number = () => Date.now()) {
  const clock = createVirtualClock(nextTask)
  let isReal = true
  let synced = realTime()
  let moving = Promise.resolve()
  const move = (milliseconds: number): Promise<void> => {
    moving = moving.then(() => clock.advance(milliseconds))
    return moving
  }
  const sync = (): Promise<void> => {
    const now = realTime()
    const passed = Math.max(0, now - synced)
    synced = now
    return isReal ? move(passed) : moving
  }
  return {
    clock,
    /** Advances it to the current real time, if that drives it. */
    sync,
    /** Advances it by hand. */
    advance: async (milliseconds: number): Promise<void> => {
      void sync()
      await move(milliseconds)
    },
    setReal: (isOn: boolean): void => {
      void sync()
      isReal = isOn
    },
  }
}
