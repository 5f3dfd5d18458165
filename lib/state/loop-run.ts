/**
 * The runner: batches of calls through the real guards, with simulated tools. Nothing of it is kept; a reset begins
 * anew, and what was still on its way then counts for nothing.
 */
import { createStore } from 'zustand/vanilla'
import type { FollowUpCall } from '@/lib/core/loop/follow-up'
import { DEFAULT_LIMITS, type LoopLimits } from '@/lib/core/loop/limits'
import { createMendArguments } from '@/lib/core/loop/mend-arguments'
import { signature } from '@/lib/core/loop/signature'
import {
  type BatchProgress,
  type ExecuteCall,
  isBatchDone,
  type LoopEvent,
  startBatch,
  stepBatch,
} from '@/lib/core/loop/step-batch'
import { EMPTY_LOOP, type LoopState, type PendingCall } from '@/lib/core/loop/tool-call-manager'
import { newKey } from './drafts/new-key'
import { createRunClock } from './loop-run-clock'

/** What a simulated tool does when it is called. */
export interface Stub {
  readonly kind: 'answer' | 'fail' | 'never'
  /** In milliseconds; of those that answer or fail. */
  readonly delay: number
  /** Its answer, or the sentence of its failure. */
  readonly text: string
}

/** A call of the batch, as it can be edited. */
export interface RunCall {
  /** Its own for as long as it is in the list. */
  readonly key: number
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface RunState {
  /** Tells runs apart: new with every reset. */
  readonly id: string
  readonly calls: readonly RunCall[]
  /** They were changed by hand: another conversation does not take their place. */
  readonly isOwn: boolean
  /** By name of the tool; the others do as `DEFAULT_STUB`. */
  readonly stubs: ReadonlyMap<string, Stub>
  readonly limits: LoopLimits
  readonly isClockReal: boolean
  /** In milliseconds since the run began. */
  readonly now: number
  /** Batches begun, the last of which may be on its way. */
  readonly batches: readonly BatchProgress[]
  readonly history: LoopState
  readonly events: readonly LoopEvent[]
  /** The call that is being run. */
  readonly running: { readonly call: PendingCall; readonly since: number } | undefined
  /** A whole batch is being run, not one step. */
  readonly isRunningAll: boolean
  /** When the run began, in milliseconds since 1970. */
  readonly begunAt: number | undefined
}

export const DEFAULT_STUB: Stub = { kind: 'answer', delay: 0, text: '{"ok": true}' }

const TICK_MILLISECONDS = 100

const INITIAL: Omit<RunState, 'id'> = {
  calls: [],
  isOwn: false,
  stubs: new Map(),
  limits: DEFAULT_LIMITS,
  isClockReal: true,
  now: 0,
  batches: [],
  history: EMPTY_LOOP,
  events: [],
  running: undefined,
  isRunningAll: false,
  begunAt: undefined,
}

export type RunTool = ReturnType<typeof createRunTool>

export function createRunTool(realTime: () => number = () => Date.now()) {
  const store = createStore<RunState>(() => ({ ...INITIAL, id: newKey() }))
  const { getState: get, setState: set } = store
  const mend = createMendArguments()
  let nextKey = 1
  let run = 0
  let watching = 0
  let isBusy = false
  let time = createRunClock(realTime)
  let ticking: ReturnType<typeof setInterval> | undefined

  const showTime = () => {
    const now = time.clock.now()
    if (now !== get().now) set({ now })
  }
  const sync = async () => {
    await time.sync()
    showTime()
  }
  /** Time is shown while somebody looks, and must pass while a call waits for it. */
  const tick = () => {
    const { isClockReal, running, batches } = get()
    const isDue = isClockReal && (running !== undefined || (watching > 0 && batches.length > 0))
    if (isDue) ticking ??= setInterval(() => void sync(), TICK_MILLISECONDS)
    else {
      clearInterval(ticking)
      ticking = undefined
    }
  }

  const execute: ExecuteCall = ({ name }) => {
    const { kind, delay, text } = stubOf(get(), name)
    return new Promise((resolve, reject) => {
      if (kind === 'never') return
      const end = () => (kind === 'fail' ? reject(new Error(text)) : resolve(text))
      if (delay === 0) end()
      else time.clock.after(delay, end)
    })
  }

  const pendingOf = ({ id, name, arguments: written }: RunCall): PendingCall => {
    const call = { id, name, arguments: written }
    return { ...call, signature: signature(call, mend) }
  }

  /** Looks at the next call; of the next batch, where this one is done. False when a reset came in between. */
  const step = async (): Promise<boolean> => {
    const own = run
    const { batches, calls, history, limits } = get()
    const last = batches.at(-1)
    const isNew = last === undefined || isBatchDone(last)
    const begin = () => {
      const batch = { id: `batch ${batches.length + 1}`, calls: calls.map(pendingOf) }
      return startBatch(history, batch, limits)
    }
    const before = isNew ? begin() : last
    const done = isNew ? batches : batches.slice(0, -1)
    set({ batches: [...done, before], begunAt: get().begunAt ?? realTime() })
    const after = await stepBatch(before, execute, time.clock, (event, state) => {
      if (own !== run) return
      const call = before.batch.calls[before.results.length]
      const isStarted = event.kind === 'started' && call !== undefined
      set(({ events }) => ({
        events: [...events, event],
        history: state,
        running: isStarted ? { call, since: event.at } : undefined,
      }))
      tick()
    })
    if (own !== run) return false
    set({ batches: [...done, after], history: after.state, running: undefined })
    showTime()
    tick()
    return true
  }

  /** One thing at a time: what is asked for meanwhile is not done. */
  const alone = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy || get().calls.length === 0) return
    const own = run
    isBusy = true
    // A run begins with its first call, not with the look at it.
    if (get().begunAt === undefined) startClock()
    // Not before every step: time that is on its way would end before the next call starts.
    await sync()
    if (own === run) await work()
    if (own !== run) return
    isBusy = false
    set({ isRunningAll: false })
  }

  const changeCalls = (edit: (calls: readonly RunCall[]) => readonly RunCall[]) =>
    set(({ calls }) => ({ calls: edit(calls), isOwn: true }))

  const takeCalls = (calls: readonly FollowUpCall[]) =>
    set({
      calls: calls.map(({ id, name, arguments: written }) => {
        return { key: nextKey++, id, name, arguments: written }
      }),
      isOwn: false,
    })

  const startClock = () => {
    time = createRunClock(realTime)
    time.setReal(get().isClockReal)
  }

  const reset = () => {
    run++
    isBusy = false
    startClock()
    const { calls, isOwn, stubs, limits, isClockReal } = get()
    set({ ...INITIAL, id: newKey(), calls, isOwn, stubs, limits, isClockReal })
    tick()
  }

  return {
    store,
    /** Lets time pass for as long as somebody looks; returns the way to stop. */
    watch: (): (() => void) => {
      watching++
      if (get().begunAt !== undefined) void sync()
      tick()
      return () => {
        watching--
        tick()
      }
    },
    /** Makes the calls of a conversation the batch. */
    takeCalls,
    /** The same, unless the list is one's own or has been run. */
    offerCalls: (calls: readonly FollowUpCall[]) => {
      if (!get().isOwn && get().batches.length === 0) takeCalls(calls)
    },
    addCall: () =>
      changeCalls((calls) => [
        ...calls,
        { key: nextKey++, id: freeId(calls), name: calls.at(-1)?.name ?? 'tool', arguments: '{}' },
      ]),
    /** Another call with the same name and arguments, under an id of its own. */
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
    /** Goes through what is left of the batch, or through the next one. */
    runBatch: () =>
      alone(async () => {
        set({ isRunningAll: true })
        let isOn = await step()
        while (isOn && !isBatchDone(get().batches.at(-1) as BatchProgress)) isOn = await step()
      }),
    reset,
  }
}

export function stubOf({ stubs }: Pick<RunState, 'stubs'>, name: string): Stub {
  return stubs.get(name) ?? DEFAULT_STUB
}

/** Whether a list holds the calls of a turn and no others. */
export function isSameBatch(calls: readonly RunCall[], turn: readonly FollowUpCall[]): boolean {
  return (
    calls.length === turn.length &&
    calls.every((call, at) => {
      const other = turn[at]
      return (
        other !== undefined &&
        call.id === other.id &&
        call.name === other.name &&
        call.arguments === other.arguments
      )
    })
  )
}

function freeId(calls: readonly RunCall[]): string {
  const ids = new Set(calls.map(({ id }) => id))
  let number = 1
  while (ids.has(`call_${number}`)) number++
  return `call_${number}`
}
