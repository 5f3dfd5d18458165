import { useEffect } from 'react'
import { useLocale } from 'use-intl'
import { useStore } from 'zustand'
import { nextRequestOf } from '@/lib/state/loop/next-request'
import { createSimulator, type Simulator, type SimulatorState } from '@/lib/state/loop/simulator'
import type { Playground } from '@/lib/state/playground'
import { usePlayground, useShown } from '../playground-context'

/** The next request, which is built while the view is mounted; its style message begins in the language of the page. */
export function useNextRequest() {
  const { showNextRequest } = usePlayground().actions
  const language = useLocale()
  useEffect(() => {
    showNextRequest(language)
    return () => showNextRequest(undefined)
  }, [showNextRequest, language])
  return useShown(nextRequestOf)
}

const simulatorOf = new WeakMap<Playground, Simulator>()

/** One simulator per page. It outlives its view and loads with it. */
export function useSimulator(): Simulator {
  const playground = usePlayground()
  const simulator = simulatorOf.get(playground) ?? createSimulator()
  simulatorOf.set(playground, simulator)
  return simulator
}

export function useSimulatorState<Part = SimulatorState>(
  select: (state: SimulatorState) => Part = (state) => state as Part,
): Part {
  return useStore(useSimulator().store, select)
}
