import { useEffect } from 'react'
import { useStore } from 'zustand'
import {
  createNextRequestBuilder,
  type NextRequestBuilder,
  type NextRequestState,
} from '@/lib/state/loop/next-request-builder'
import { createSimulator, type Simulator, type SimulatorState } from '@/lib/state/loop/simulator'
import type { Playground } from '@/lib/state/playground'
import type { PlaygroundState } from '@/lib/state/store'
import { usePlayground } from '../playground-context'

const toolsOf = new WeakMap<
  Playground,
  { readonly nextRequest: NextRequestBuilder; readonly simulator: Simulator }
>()

/** One builder and one simulator per page. They outlive their views and load with them. */
function useLoopTools() {
  const playground = usePlayground()
  const tools = toolsOf.get(playground) ?? {
    nextRequest: createNextRequestBuilder(playground),
    simulator: createSimulator(),
  }
  toolsOf.set(playground, tools)
  return tools
}

export const useNextRequest = () => useLoopTools().nextRequest

/** Selects from the state of the builder and the page. */
export function useNextRequestState<Part>(
  select: (page: PlaygroundState, builder: NextRequestState) => Part,
): Part {
  const { store } = usePlayground()
  const nextRequest = useNextRequest()
  // Both stores can change the selected value.
  useStore(nextRequest.store, (builder) => select(store.getState(), builder))
  return useStore(store, (page) => select(page, nextRequest.store.getState()))
}

/** Updates the next request while the view is mounted. */
export function useWatchNextRequest(): void {
  const nextRequest = useNextRequest()
  useEffect(() => nextRequest.watch(), [nextRequest])
}

export const useSimulator = () => useLoopTools().simulator

export function useSimulatorState<Part = SimulatorState>(
  select: (state: SimulatorState) => Part = (state) => state as Part,
): Part {
  return useStore(useSimulator().store, select)
}
